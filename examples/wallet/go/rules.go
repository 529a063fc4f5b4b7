package main

import "strconv"

type transaction struct {
	kind, hash, currency, serial string
	amount                       int64
	isFirst                      string // of a debit: "true", "false", or "" if it is not said
}

// record is a transaction that was decided, with the debit before it in its call.
type record struct {
	transaction
	code    int // 0: accepted
	follows string
	strands bool
}

type round struct {
	records              []record
	first, declined      string // the accepted first debit; the latest debit, if it was declined: credits are too
	isDeclined, isVoided bool   // isDeclined: the first debit was
}

func (r *round) find(hash string, isVoid bool) *record {
	for at := range r.records {
		if one := &r.records[at]; one.hash == hash && (one.kind == "void") == isVoid {
			return one
		}
	}
	return nil
}

func (r *round) isOpen() bool {
	isEnded := false
	for _, one := range r.records {
		isEnded = isEnded || one.strands || one.kind == "end" && one.code == 0
	}
	return r.first != "" && !isEnded
}

// call decides the transactions of one call in order, on a copy: what is not kept leaves nothing.
type call struct {
	round
	account
	gameRound, lastDebit   string
	failing                map[int]int // codes of the debits that fail: then no new debit of the call is processed
	hasFailed, hasNewDebit bool
}

// decide returns the code of a transaction, 0 if it is processed.
func (c *call) decide(at int, one transaction) (code int) {
	known := c.find(one.hash, false)
	if known != nil && one.isFirst == "" {
		one.isFirst = known.isFirst
	}
	switch {
	case one.kind == "void":
		return c.void(one.hash, known)
	case known == nil:
		code = c.new(at, one)
	case one != known.transaction:
		code = 37
	case c.isVoided:
		code = 9003
	default:
		code = known.code
	}
	if one.kind == "debit" {
		c.lastDebit, c.hasFailed = one.hash, c.hasFailed || code != 0
	}
	return code
}

func (c *call) new(at int, one transaction) int {
	isDebit := one.kind == "debit"
	if isDebit && one.isFirst == "" {
		one.isFirst = strconv.FormatBool(c.first == "")
	}
	falls := c.hasFailed || len(c.failing) > 0 && (isDebit || c.hasNewDebit)
	starts, code := one.isFirst == "true" && c.first == "", c.move(at, one, falls)
	strands := one.kind == "credit" && code != 0 && code != 15 && code != 9003 && !falls
	c.records = append(c.records, record{one, code, c.lastDebit, strands})
	c.hasNewDebit = c.hasNewDebit || isDebit
	c.isVoided = c.isVoided || starts && code == 9003
	c.isDeclined = c.isDeclined || starts && (code == 9001 || code == 9002 || code == 9004)
	if starts && code == 0 {
		c.first = one.hash
	}
	if isDebit && (code == 0 || code == 9001 || code == 9002) {
		c.declined = map[bool]string{false: one.hash}[code == 0]
	}
	return code
}

// move moves the money of a new transaction, unless there is a reason not to: the first one counts.
func (c *call) move(at int, one transaction, falls bool) int {
	isDebit, isFirst, balance := one.kind == "debit", one.isFirst == "true", c.balance+one.change()
	for _, reason := range []struct {
		applies bool
		code    int
	}{
		{c.isVoided || isDebit && c.find(one.hash, true) != nil, 9003},
		{isFirst && c.first != "", 12},
		{falls && c.failing[at] != 0, c.failing[at]},
		{falls, 9004},
		{c.first == "" && c.isDeclined, 13},
		{c.first == "" && !isFirst, 15},
		{c.first != "" && !c.isOpen() && one.kind != "end", 13},
		{one.kind == "credit" && c.declined != "", 9004},
		{one.currency != c.currency && one.kind != "end", 9002},
		{balance < c.balance && balance < 0, 9001},
		{balance > largest, 9005},
	} {
		if reason.applies {
			return reason.code
		}
	}
	c.balance = balance
	return 0
}

func (t transaction) change() int64 {
	return map[string]int64{"debit": -t.amount, "credit": t.amount}[t.kind]
}

func (c *call) void(debit string, known *record) int {
	if known != nil && known.kind != "debit" {
		return 19
	}
	if c.isVoided || c.find(debit, true) != nil {
		return 0
	}
	isFirst := known == nil && debit == c.gameRound || known != nil && known.isFirst == "true"
	isAccepted := known != nil && known.code == 0
	c.isVoided = debit == c.first || c.first == "" && isFirst
	if known == nil || c.declined == debit {
		c.declined = ""
	}
	for at := range c.records { // of a follow-up, with what its call won or ended after it
		one := &c.records[at]
		if isAccepted && (c.isVoided || one == known || one.kind != "debit" && one.follows == debit) {
			one.strands = false
			if one.code == 0 {
				c.balance -= one.change()
				one.code = 9003
			}
		}
	}
	c.records = append(c.records, record{transaction: transaction{kind: "void", hash: debit}})
	return 0
}
