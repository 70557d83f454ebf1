"""What only an admin may do over HTTP: chips from the house to an account, and back."""

from fullring.rules.refusals import Refusal, Refused
from fullring.runtime.ports import NotEnough
from fullring.table.ids import AccountId
from fullring.web.asking import Admin
from fullring.web.paths import IdInPath
from fullring.web.problems import not_found
from fullring.web.routes import Routes
from fullring.web.site import Here
from fullring.wire.http import Grant, Granted

router = Routes(prefix="/admin", tags=["admin"])


@router.post("/accounts/{account}/chips")
async def grant(here: Here, asker: Admin, account: IdInPath, wanted: Grant) -> Granted:
    found = await here.accounts.account(AccountId(account))
    if found is None:
        raise not_found("account")
    try:
        chips = await here.ledger.grant(
            found.id, wanted.amount, wanted.reason, wanted.key, asker.account.id, here.clock.now()
        )
    except NotEnough:
        raise Refused(Refusal.INSUFFICIENT_CHIPS, f"the account has not {-wanted.amount} chips") from None
    return Granted(account=found.id, chips=chips)
