"""What only an admin may do over HTTP: chips from the house to an account, and back."""

from fullring.rules.refusals import Refusal, Refused
from fullring.runtime.ports import NotEnough
from fullring.table.ids import AccountId
from fullring.web.asking import Admin
from fullring.web.paths import IdInPath
from fullring.web.problems import not_found
from fullring.web.routes import Routes
from fullring.web.site import Here
from fullring.wire.fields import AskedChips, ChatText, Chips, Id, MessageId, Shape

router = Routes(prefix="/admin", tags=["admin"])


class Grant(Shape):
    """Chips from the house; below zero they go back. The same ``key`` acts once."""

    amount: AskedChips
    reason: ChatText
    key: MessageId


class Granted(Shape):
    account: Id
    chips: Chips


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
