#!/usr/bin/env python3
"""Verifies that events are in an operator's log:  python3 verify_proof.py VKEY [WITNESS_VKEY ...] [FOLDER]
VKEY: the log's key, as its operator has published it; do not take it from the folder. WITNESS_VKEY: the key of a witness, as it
has published it: it must have signed too. FOLDER: of event.json, which has one event a line, and event.1.tlog-proof,
event.2.tlog-proof, ... (C2SP tlog-proof). Needs Python 3.8 and nothing else."""
import base64, hashlib, os, re, sys, time

P = 2**255 - 19                                   # Ed25519, RFC 8032 section 5.1
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT = pow(2, (P - 1) // 4, P)

def x_of(y, sign):
    x2 = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(x2, (P + 3) // 8, P)
    if (x * x - x2) % P: x = x * ROOT % P
    if (x * x - x2) % P or y >= P or (x == 0 and sign): raise ValueError("not a point of the curve")
    return P - x if x & 1 != sign else x

def point(raw):
    n = int.from_bytes(raw, "little"); y, sign = n & (2**255 - 1), n >> 255
    x = x_of(y, sign); return (x, y, 1, x * y % P)

def add(a, b):
    A, B = (a[1] - a[0]) * (b[1] - b[0]) % P, (a[1] + a[0]) * (b[1] + b[0]) % P
    C, E = 2 * a[3] * b[3] * D % P, 2 * a[2] * b[2] % P
    e, f, g, h = B - A, E - C, E + C, B + A
    return (e * f % P, g * h % P, f * g % P, e * h % P)

def times(n, a):
    out = (0, 1, 1, 0)
    while n: out, a, n = (add(out, a) if n & 1 else out), add(a, a), n >> 1
    return out

def is_signed(public, text, sig):
    if len(sig) != 64 or int.from_bytes(sig[32:], "little") >= L: return False
    s = int.from_bytes(sig[32:], "little")
    k = int.from_bytes(hashlib.sha512(sig[:32] + public + text).digest(), "little") % L
    y = 4 * pow(5, P - 2, P) % P; x = x_of(y, 0)
    a, b = times(s, (x, y, 1, x * y % P)), add(point(sig[:32]), times(k, point(public)))
    return (a[0] * b[2] - b[0] * a[2]) % P == 0 and (a[1] * b[2] - b[1] * a[2]) % P == 0

def sha256(*parts): return hashlib.sha256(b"".join(parts)).digest()

def root_of(leaf, index, size, path):             # RFC 9162, 2.1.3.2
    node, fn, sn = leaf, index, size - 1
    for sibling in path:
        if sn == 0: raise ValueError("the path is too long")
        if fn & 1 or fn == sn:
            node = sha256(b"\1", sibling, node)
            while not fn & 1 and fn: fn, sn = fn >> 1, sn >> 1
        else: node = sha256(b"\1", node, sibling)
        fn, sn = fn >> 1, sn >> 1
    if sn: raise ValueError("the path is too short")
    return node

def decode(text): return base64.b64decode(text, validate=True)

def number(text):
    if not re.fullmatch(r"0|[1-9][0-9]{0,15}", text): raise ValueError("not a number")
    return int(text)

def key_of(vkey, kind, what):                     # C2SP signed-note; the kind of a witness's is 4, tlog-cosignature
    name, key_id, data = vkey.split("+", 2); key = decode(data)
    if key[:1] != kind or len(key) != 33 or sha256(name.encode(), b"\n", key)[:4].hex() != key_id: raise ValueError(what + " is no key")
    return name, key_id, key[1:]

def signatures_of(note, name, key_id):
    text, signatures = note.split("\n\n", 1)
    raws = [decode(line.split(" ")[2]) for line in signatures.split("\n") if line.startswith("\u2014 " + name + " ")]
    return (text + "\n").encode(), [raw[4:] for raw in raws if raw[:4].hex() == key_id]

def witnessed(note, vkey):
    name, key_id, key = key_of(vkey, b"\4", "WITNESS_VKEY"); text, signatures = signatures_of(note, name, key_id)
    for raw in signatures:
        at = int.from_bytes(raw[:8], "big")
        if is_signed(key, b"cosignature/v1\ntime %d\n" % at + text, raw[8:]): return f", seen by {name} at {time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime(at))}"
    raise ValueError("the checkpoint is not signed by " + name)

def check(vkey, witnesses, proof, event):
    name, key_id, key = key_of(vkey, b"\1", "VKEY"); head, note = proof.split("\n\n", 1)
    head = [line for line in head.split("\n") if not line.startswith("extra ")]
    if head[0] != "c2sp.org/tlog-proof@v1" or not head[1].startswith("index "): raise ValueError("not a tlog-proof")
    index, path = number(head[1][6:]), [decode(line) for line in head[2:]]
    text, signatures = signatures_of(note, name, key_id); origin, size, root = text.decode().split("\n")[:3]; size = number(size)
    if not any(is_signed(key, text, raw) for raw in signatures): raise ValueError("the checkpoint is not signed by VKEY")
    if index >= size or root_of(sha256(b"\0", event), index, size, path) != decode(root): raise ValueError("the event is not in this log")
    return f"event {index} of the {size} in {origin}" + "".join(witnessed(note, one) for one in witnesses)

def main():
    keys = [one for one in sys.argv[1:] if re.fullmatch(r"[^+]+\+[0-9a-f]{8}\+[A-Za-z0-9+/]+=*", one)]
    folders = [one for one in sys.argv[1:] if one not in keys] or [os.path.dirname(os.path.abspath(__file__))]
    if not keys or len(folders) > 1: sys.exit(__doc__)
    folder, (vkey, *witnesses) = folders[0], keys
    with open(os.path.join(folder, "event.json"), "rb") as file: events = file.read().split(b"\n")
    if events.pop() != b"" or not events: sys.exit("FAILED: event.json has no lines")
    for n, event in enumerate(events, 1):
        try:
            with open(os.path.join(folder, f"event.{n}.tlog-proof"), encoding="utf-8", newline="") as file: proof = file.read()
            said = check(vkey, witnesses, proof, event)
            with open(os.path.join(folder, "checkpoint"), encoding="utf-8", newline="") as file: checkpoint = file.read()
            if not proof.endswith("\n\n" + checkpoint): raise ValueError("the file checkpoint is not the one of the proof")
            print(f"OK: line {n} is {said}")
        except (OSError, ValueError, IndexError) as error: sys.exit(f"FAILED: line {n}: {error}")

main()
