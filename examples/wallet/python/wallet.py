"""An operator's wallet in memory: doTransactions and getBalance of the Operator API, with the standard library alone.

Amounts are whole numbers of the smallest unit, each player has one currency. Python 3.11 or later.
"""
import hashlib, json, os, re, sys, threading
from datetime import datetime, timezone
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple
from urllib.parse import parse_qsl

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../signing/python"))
from rgs_signature import OPERATOR_API, Number, fields_of, read_json, verify  # noqa: E402

ERRORS = {1: "unknown player", 12: "the round has its first debit", 13: "the round is not open", 15: "no such round",
          16: "transactionCount is wrong", 19: "invalid parameter", 33: "no discount was offered", 37: "known hash",
          1001: "not authenticated", 9001: "balance too low", 9002: "currency not supported", 9003: "voided",
          9004: "a debit failed before", 9005: "too much for the balance", 9007: "send it again, signed anew"}
LARGEST = 2**53 - 1  # what every JSON reader holds exactly
MAX_BODY, CLOCK_TOLERANCE = 256 * 1024, 300  # bytes, seconds

class Refusal(Exception):
    """Answers a call as a whole: nothing of it is processed."""

class Transaction(NamedTuple):
    type: str
    hash: str
    amount: int
    currency: str | None
    serial: str | None
    is_first: bool | None  # None: not said
    error: int = 0  # what was decided; 0: accepted
    follows: str | None = None  # the debit before it in its call
    strands: bool = False

    def change(self):
        return {"debit": -self.amount, "credit": self.amount}.get(self.type, 0)

class Round(NamedTuple):
    records: dict  # debits, credits and ends by hash
    voids: frozenset = frozenset()
    first: str | None = None  # the hash of the accepted first debit
    is_declined: bool = False  # the first debit was
    declined: str | None = None  # the latest debit that was declined: credits are too
    is_voided: bool = False

    def is_open(self):
        stops = (each.strands or (each.type == "end" and not each.error) for each in self.records.values())
        return self.first is not None and not any(stops)

class Call:
    """Decides the transactions of one call in order, on copies: what is not kept leaves nothing."""
    def __init__(self, game_round, state, currency, balance, failing):
        self.game_round, self.currency, self.balance = game_round, currency, balance
        self.state, self.failing = state._replace(records=dict(state.records)), failing
        self.last_debit, self.has_failed, self.has_new_debit = None, False, False

    def decide(self, at, one):
        """The error of a transaction, 0 if it is processed."""
        if one.type == "void":
            return self.void(one.hash)
        known = self.state.records.get(one.hash)
        error = self.repeat(one, known) if known else self.new(at, one)
        if one.type == "debit":
            self.last_debit, self.has_failed = one.hash, self.has_failed or error != 0
        return error

    def repeat(self, one, known):
        is_first = known.is_first if one.is_first is None else one.is_first
        is_same = (*one[:5], is_first) == known[:6]
        return 37 if not is_same else 9003 if self.state.is_voided else known.error

    def new(self, at, one):
        state, is_debit = self.state, one.type == "debit"
        is_first = is_debit and (state.first is None if one.is_first is None else one.is_first)
        falls = self.has_failed or bool(self.failing and (is_debit or self.has_new_debit))
        self.has_new_debit = self.has_new_debit or is_debit
        error = self.move(at, one, is_first, falls)
        strands = one.type == "credit" and error not in (0, 15, 9003) and not falls
        state.records[one.hash] = one._replace(
            is_first=is_first if is_debit else None, error=error, follows=self.last_debit, strands=strands)
        if is_debit and error == 0:
            self.state = state._replace(first=state.first or one.hash, declined=None)
        elif is_first and state.first is None and error in (9001, 9002, 9003, 9004):
            self.state = state._replace(is_declined=error != 9003, is_voided=error == 9003)
        elif is_debit and error in (9001, 9002):
            self.state = state._replace(declined=one.hash)
        return error

    def move(self, at, one, is_first, falls):
        """Moves the money of a new transaction, unless there is a reason not to: the first one counts."""
        state, is_debit, balance = self.state, one.type == "debit", self.balance + one.change()
        reasons = [
            (state.is_voided or (is_debit and one.hash in state.voids), 9003),
            (is_first and state.first is not None, 12),
            (falls, self.failing.get(at, 9004)),
            (state.first is None and state.is_declined, 13),
            (state.first is None and not is_first, 15),
            (state.first is not None and not state.is_open() and one.type != "end", 13),
            (state.declined is not None and one.type == "credit", 9004),
            (one.currency != self.currency and one.type != "end", 9002),
            (balance < min(self.balance, 0), 9001),
            (balance > LARGEST, 9005),
        ]
        error = next((error for applies, error in reasons if applies), 0)
        self.balance = self.balance if error else balance
        return error

    def void(self, debit):
        state, known = self.state, self.state.records.get(debit)
        if known and known.type != "debit":
            return 19
        if state.is_voided or debit in state.voids:
            return 0
        is_first = known.is_first if known else debit == self.game_round
        is_whole = debit == state.first or (state.first is None and is_first)
        declined = state.declined if known and state.declined != debit else None
        self.state = state._replace(voids=state.voids | {debit}, is_voided=is_whole, declined=declined)
        if known and known.error == 0:  # of a follow-up, with what its call won or ended after it
            for each in list(state.records.values()):
                if is_whole or each is known or (each.type != "debit" and each.follows == debit):
                    self.balance -= each.change() if each.error == 0 else 0
                    state.records[each.hash] = each._replace(error=each.error or 9003, strands=False)
        return 0

class Wallet:
    def __init__(self, players):
        self.players, self.rounds, self.signatures = players, {}, {}
        self.lock = threading.Lock()  # one call at a time: what it reads, decides and writes is one step

    def balance(self, player, currency):
        held, amount = self.players.get(player) or refuse(1)  # one read: it needs no lock
        return balances(amount, held if held == currency else refuse(9002))

    def do_transactions(self, message, transactions, signature, body):
        player, game_round = key = message["playerId"], message["gameRound"]
        digest, failing = hashlib.sha256(body).digest(), {}
        with self.lock:
            # A signature names one body. A void signs what its debit signed in the same second: that is sent again.
            if self.signatures.setdefault(signature, digest) != digest:
                refuse(9007, 503) if all(one.type == "void" for one in transactions) else refuse(1001, 401)
            currency, balance = self.players.get(player) or refuse(1)
            for _ in range(2):  # again with the debits that fail: then no new debit of the call is processed
                call = Call(game_round, self.rounds.get(key, Round({})), currency, balance, failing)
                errors = [call.decide(at, one) for at, one in enumerate(transactions)]
                failing = {at: error for at, error in enumerate(errors) if error and transactions[at].type == "debit"}
            self.rounds[key], self.players[player] = call.state, (currency, call.balance)
        listed = [{"hash": one.hash} | ({"errorCode": error_object(error)} if error else {})
                  for one, error in zip(transactions, errors)]
        reply = balances(call.balance, currency) | {"hashesProcessed": listed}
        first = next((error for error in errors if error), None)
        return (400, reply | {"errorCode": error_object(first)}) if first else (200, reply)

def read_call(message):
    """The transactions of a verified message."""
    given, count = message["transactions"], message.get("transactionCount")
    if not given or len(given) > 500 or not all(is_id(message[name]) for name in ("playerId", "gameCode", "gameRound")):
        refuse(19)
    if type(count) is not Number or count != str(len(given)):
        refuse(16)
    return [read_transaction(one) for one in given]

def read_transaction(one):
    kind, amount, currency, serial = (one.get(name) for name in ("type", "amount", "currency", "serial"))
    kind, amount = str(kind).lower(), None if amount is None else Decimal(amount)
    flags = {"none": None, "true": True, "false": False}
    is_first, is_free = (flags.get(str(one.get(name)).lower(), 19) for name in ("isFirstDebit", "freePlayUsed"))
    is_free = is_free or (kind == "debit" and serial is not None)
    needs = {"debit": (currency, is_free or amount), "credit": (currency, amount)}.get(kind, ())
    is_wrong = (
        kind not in ("debit", "credit", "end", "void") or None in needs or 19 in (is_first, is_free)
        or not is_id(one["hash"]) or re.fullmatch("[A-Z]{3}", one["hash"])  # another call signs the same text
        or (amount is not None and not (0 <= amount <= LARGEST and amount == int(amount)))
        or (currency is not None and not re.fullmatch("[A-Z]{3}", str(currency)))
        or (kind == "debit" and is_free and amount) or (serial is not None and not is_id(serial)))
    if is_wrong or one.get("discountAmount") not in (None, "0"):
        refuse(19 if is_wrong else 33)
    return Transaction(kind, one["hash"], int(amount or 0), currency, serial, is_first if kind == "debit" else None)

def is_id(value):
    return type(value) is str and 1 <= len(value) <= 128

def refuse(error, status=400):
    raise Refusal(error, status)

def error_object(error):
    return {"id": error, "msg": ERRORS[error], "clientmsg": "This did not work. Please try again."}

def balances(amount, currency):
    return {"balances": [{"type": "real", "amount": amount, "currency": currency}]}

class Handler(BaseHTTPRequestHandler):
    protocol_version, timeout, disable_nagle_algorithm = "HTTP/1.1", 60, True
    do_GET = do_POST = lambda self: self.reply(*self.answer(*self.path.partition("?")[::2]))
    log_message = lambda *_: None

    def answer(self, path, query):
        """The status and the message that answer a call."""
        try:
            if self.command == "POST":
                body = self.read_body()
                message = read_json(body) if path == "/doTransactions" else refuse(19, 404)
                signature = self.verified("doTransactions", message)
                return wallet.do_transactions(message, read_call(message), signature, body)
            pairs = parse_qsl(query, keep_blank_values=True, errors="strict")
            message = dict(pairs) if path == "/getBalance" else refuse(19, 404)
            self.verified("getBalance", message if len(message) == len(pairs) else refuse(19))
            return 200, wallet.balance(message["playerId"], message["currency"])
        except ValueError:
            return 400, {"errorCode": error_object(19)}
        except Refusal as refusal:
            return refusal.args[1], {"errorCode": error_object(refusal.args[0])}

    def read_body(self):
        length = self.headers.get("Content-Length", "")
        if "Transfer-Encoding" in self.headers or not re.fullmatch("[0-9]{1,7}", length):
            self.close_connection = True
            refuse(19, 411)
        body = self.rfile.read(int(length))
        is_json = self.headers.get_content_type() == "application/json" and "Content-Encoding" not in self.headers
        return body if is_json and len(body) <= MAX_BODY else refuse(19, 413 if is_json else 415)

    def verified(self, operation, message):
        """The signature of a call, once it is found right."""
        found = [self.headers.get_all(name, []) for name in ("X-H-AUTH-ID", "X-H-TIMESTAMP", "X-H-AUTH-SIG")]
        auth_id, timestamp, signature = [each[0] if len(each) == 1 else "" for each in found]
        is_date = re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)?", timestamp, re.ASCII)
        at = datetime.fromisoformat(timestamp if is_date else refuse(1001, 401))
        age = datetime.now(timezone.utc) - (at if at.tzinfo else at.replace(tzinfo=timezone.utc))
        is_right = verify(SECRET, OPERATOR_ID, timestamp, fields_of(OPERATOR_API[operation], message), signature)
        is_now = auth_id == OPERATOR_ID and abs(age.total_seconds()) <= CLOCK_TOLERANCE
        return signature if is_right and is_now else refuse(1001, 401)

    def reply(self, status, value):
        body = json.dumps(value).encode("utf-8")
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Connection", "close" if self.close_connection else "keep-alive")
        self.end_headers()
        self.wfile.write(body)

if __name__ == "__main__":
    OPERATOR_ID, SECRET = os.environ["OPERATOR_ID"], os.environ["OPERATOR_SECRET"]
    wallet = Wallet({player: ("EUR", 1_000_000) for player in ("ann", "bob")})
    ThreadingHTTPServer.request_queue_size = 256
    with ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8080"))), Handler) as server:
        print(f"http://127.0.0.1:{server.server_address[1]}", flush=True)
        server.serve_forever()
