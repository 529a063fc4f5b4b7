"""X-H-AUTH-SIG of the Operator API and the Game Engine API, with the standard library alone.

A JSON number is a Number: its text as written in the body, so that 10.00 is signed as 10.00.
What cannot be read or signed raises ValueError: answer it with 400.
"""
import base64, hmac, json, re
from decimal import Decimal

# What is signed after secret, X-H-AUTH-ID and X-H-TIMESTAMP, in order. "?": left out if absent.
OPERATOR_API = {
    "doTransactions": "playerId gameCode gameRound transactions",  # of each its hash, then its amount
    "getBalance": "playerId currency gameCode?",
    "assignPlayerFreerounds": "playerId gameCode serial currency stake count",
    "getStats": "", "getGameList": "", "getGameConfiguration": "gameCode currency",
    "getGameURL": "playerId? gameCode currency language mode",
}
# Calls of the RGS to a game provider. A provider's own calls sign their body: sign_body.
TO_PROVIDER = {
    "getGameConfiguration": "currency", "getGameResult": "gameRound", "doAutoClose": "gameRound",
    "health": "", "certifiedfiles": "",
}

class Number(str):
    """The text of a JSON number."""

def read_json(body):
    """The value of a body (bytes)."""
    def without_repeats(pairs):
        if len(dict(pairs)) < len(pairs):
            raise ValueError("a key occurs twice")
        return dict(pairs)
    def refused(name):
        raise ValueError(f"{name} is not JSON")
    try:
        return json.loads(body.decode("utf-8"), parse_int=Number, parse_float=Number,
                          parse_constant=refused, object_pairs_hook=without_repeats)
    except RecursionError:
        raise ValueError("nested too deeply") from None

def fields_of(names, message):
    """The signed fields of a message, by its entry in OPERATOR_API or TO_PROVIDER; an amount is a Number."""
    fields = []
    try:
        for name in names.split():
            if name == "transactions":
                for one in message[name]:
                    fields.append(text_of(one, "hash"))
                    if one.get("amount") is not None:
                        fields.append(amount_of(one["amount"]))
            elif not name.endswith("?") or name[:-1] in message:
                fields.append(text_of(message, name))
        return fields
    except (AttributeError, KeyError, TypeError):
        raise ValueError("not a message of this call") from None

def text_of(message, name):
    value = message[name.rstrip("?")]
    if type(value) is not (Number if name in ("stake", "count") else str):
        raise ValueError(f"{name} is of the wrong type")
    if re.search(r"[#\x00-\x1f\x7f-\x9f]", value):
        raise ValueError(f"{name} has a # or a control character")
    return str(value)

def amount_of(amount):
    if type(amount) is not Number or len(amount) > 40 or re.search(r"[eE][+-]?\d{3}", amount):
        raise ValueError("an amount is of the wrong type or too long")
    return amount

def spelt(field, in_short):
    if not isinstance(field, Number):
        return [field]
    if Decimal(field) == 0:
        return []  # a zero in any spelling adds nothing
    text = f"{Decimal(field):f}" if in_short else str(field)
    return [text.rstrip("0").rstrip(".") if in_short and "." in text else text]

def sign(secret, auth_id, timestamp, fields, in_short=False):
    """X-H-AUTH-SIG of a call whose fields are signed; `in_short` signs 10.5 for an amount of 10.50."""
    texts = [text for field in fields for text in spelt(field, in_short)]
    return mac(secret, "#".join([secret, auth_id, timestamp, *texts]).encode("utf-8"))

def verify(secret, auth_id, timestamp, fields, signature):
    """Whether a signature is right, for the amounts as sent or in short."""
    return any([same(sign(secret, auth_id, timestamp, fields, form), signature) for form in (False, True)])

def sign_body(secret, timestamp, body):
    """X-H-AUTH-SIG of a game provider's call: its body (bytes) as sent, b"" if it has none."""
    return mac(secret, body + b"#" + timestamp.encode("utf-8"))

def verify_body(secret, timestamp, body, signature):
    """Whether a game provider's signature is right. Some sign {} where there is no body."""
    return any([same(sign_body(secret, timestamp, one), signature) for one in (body, body or b"{}")])

def mac(secret, message):
    return base64.b64encode(hmac.digest(secret.encode("utf-8"), message, "sha256")).decode("ascii")

def same(made, signature):
    return hmac.compare_digest(made.encode("ascii"), signature.encode("utf-8"))
