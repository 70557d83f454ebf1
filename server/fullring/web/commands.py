"""What a client says, as a command to a table. Who asks comes from the connection, never from the message."""

from typing import assert_never

from fullring.rules.actions import Action
from fullring.rules.cards import card
from fullring.runtime.ports import Account
from fullring.table import commands
from fullring.table.commands import Command, PreAction
from fullring.table.ids import HandId, TurnId
from fullring.wire import client

TableMessage = (
    client.Sit
    | client.Leave
    | client.SitOut
    | client.SitIn
    | client.TopUp
    | client.Act
    | client.Arm
    | client.Disarm
    | client.Show
    | client.Chat
)


def command(message: TableMessage, account: Account) -> Command:
    me = account.id
    match message:
        case client.Act():
            return commands.ActOnTurn(
                me, HandId(message.hand), TurnId(message.turn), Action(message.action), message.to
            )
        case client.Arm():
            return commands.Arm(me, HandId(message.hand), PreAction(message.action), message.to_call)
        case client.Disarm():
            return commands.Disarm(me, HandId(message.hand))
        case client.Sit():
            return commands.Sit(
                account=me,
                name=account.name,
                kind=account.kind,
                buy_in=message.buy_in,
                seat=message.seat,
                post_now=message.post_now,
                join_code=message.join_code,
            )
        case client.Leave():
            return commands.Leave(me)
        case client.SitOut():
            return commands.SitOut(me)
        case client.SitIn():
            return commands.SitIn(me, message.post_now)
        case client.TopUp():
            return commands.TopUp(me, message.amount)
        case client.Show():
            return commands.ShowCards(me, HandId(message.hand), tuple([card(text) for text in message.cards]))
        case client.Chat():
            return commands.Chat(me, account.name, message.text)
        case _:
            assert_never(message)
