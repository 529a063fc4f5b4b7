"""Signs and verifies every vector of the files named: python3 check_vectors.py signature.json engine.json"""
import json
import sys
from urllib.parse import parse_qsl

from rgs_signature import OPERATOR_API, TO_PROVIDER, fields_of, read_json, sign, sign_body, verify, verify_body


def results(vector):
    """The signature of the vector as this helper makes it, and whether it accepts the vector's own."""
    secret, timestamp, signature = vector["secret"], vector["timestamp"], vector["signature"]
    body = vector.get("body", "").encode("utf-8")
    if vector.get("direction") == "toService":
        return sign_body(secret, timestamp, body), verify_body(secret, timestamp, body, signature)
    names = OPERATOR_API[vector["operation"]] if "operation" in vector else TO_PROVIDER[vector["call"]]
    caller = vector.get("operatorId") or vector["gameProviderId"]
    try:
        fields = fields_of(names, read_json(body) if body else dict(parse_qsl(vector.get("query", ""))))
    except ValueError:
        return None, False
    return sign(secret, caller, timestamp, fields), verify(secret, caller, timestamp, fields, signature)


wrong = 0
for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as file:
        vectors = json.load(file)["vectors"]
    for vector in vectors:
        made, accepted = results(vector)
        # A receiver accepts a second spelling in some vectors, which this helper does not sign.
        is_second = "shortest" in vector["why"] or "in place of" in vector["why"]
        signs_it = made == vector["signature"] or is_second or not vector["valid"]
        if accepted != vector["valid"] or not signs_it:
            wrong += 1
            print(f"wrong: {vector.get('operation') or vector['call']}: {vector['why']}")
    print(f"{path}: {len(vectors)} vectors")
print(f"{wrong} wrong")
sys.exit(0 if wrong == 0 else 1)
