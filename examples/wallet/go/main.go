// An operator's wallet in memory: doTransactions and getBalance of the Operator API, with the standard library alone.
// Amounts are whole numbers of the smallest unit, each player has one currency.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"math/big"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	rgs "rgssignature"
)

const largest, maxBody, clockTolerance = 1<<53 - 1, 256 * 1024, 300 * time.Second

var messages = map[int]string{1: "unknown player", 12: "the round has its first debit", 13: "the round is not open",
	15: "no such round", 16: "transactionCount is wrong", 19: "invalid parameter", 33: "no discount was offered",
	37: "known hash", 1001: "not authenticated", 9001: "balance too low", 9002: "currency not supported",
	9003: "voided", 9004: "a debit failed before", 9005: "too much for the balance", 9007: "send it again, signed anew"}
var threeCapitals = regexp.MustCompile(`^[A-Z]{3}$`)
var operatorID, secret = os.Getenv("OPERATOR_ID"), os.Getenv("OPERATOR_SECRET")

type object = map[string]any
type account struct {
	currency string
	balance  int64
}

var players = map[string]account{"ann": {"EUR", 1_000_000}, "bob": {"EUR", 1_000_000}}
var rounds, signatures = map[[2]string]round{}, map[string]string{}
var lock sync.Mutex // one call at a time: what it reads, decides and writes is one step

// refusal answers a call as a whole: nothing of it is processed. refuse throws it, serve catches it.
type refusal struct{ code, status int }

func refuse(isWrong bool, code, status int) {
	if isWrong {
		panic(refusal{code, status})
	}
}

func serve(writer http.ResponseWriter, request *http.Request) {
	status, reply := 200, object{}
	defer func() {
		thrown := recover()
		if refused, isRefusal := thrown.(refusal); isRefusal {
			status, reply = refused.status, object{"errorCode": errorObject(refused.code)}
		} else if thrown != nil {
			panic(thrown)
		}
		writer.Header().Set("Content-Type", "application/json")
		writer.WriteHeader(status)
		_ = json.NewEncoder(writer).Encode(reply)
	}()
	body, err := io.ReadAll(io.LimitReader(request.Body, maxBody+1))
	refuse(err != nil, 19, 400)
	switch request.Method + request.URL.Path {
	case "GET/getBalance":
		query, err := url.ParseQuery(request.URL.RawQuery)
		refuse(err != nil || len(query["playerId"]) > 1 || len(query["currency"]) > 1 || len(query["gameCode"]) > 1, 19, 400)
		message := object{}
		for name := range query {
			message[name] = query.Get(name)
		}
		verified(request.Header, "getBalance", message)
		lock.Lock()
		defer lock.Unlock()
		held, isKnown := players[query.Get("playerId")]
		refuse(!isKnown, 1, 400)
		refuse(held.currency != query.Get("currency"), 9002, 400)
		reply = balances(held)
	case "POST/doTransactions":
		kind, _, _ := strings.Cut(request.Header.Get("Content-Type"), ";")
		refuse(len(body) > maxBody, 19, 413)
		refuse(strings.TrimSpace(kind) != "application/json" || request.Header.Get("Content-Encoding") != "", 19, 415)
		value, err := rgs.ReadJSON(body)
		refuse(err != nil, 19, 400)
		signature := verified(request.Header, "doTransactions", value)
		status, reply = doTransactions(value.(object), readCall(value.(object)), signature, string(body))
	default:
		refuse(true, 19, 404)
	}
}

// verified returns the signature of a call, once it is found right.
func verified(header http.Header, operation string, message any) string {
	id, timestamp, signature := header["X-H-Auth-Id"], header["X-H-Timestamp"], header["X-H-Auth-Sig"]
	refuse(len(id) != 1 || len(timestamp) != 1 || len(signature) != 1, 1001, 401)
	at, err := time.Parse(time.RFC3339, timestamp[0])
	if err != nil {
		at, err = time.Parse(time.RFC3339, timestamp[0]+"Z") // no zone means UTC
	}
	refuse(err != nil || time.Since(at) > clockTolerance || time.Until(at) > clockTolerance, 1001, 401)
	fields, err := rgs.Fields(rgs.OperatorAPI[operation], message)
	refuse(err != nil, 19, 400)
	isRight := rgs.Verify(secret, operatorID, timestamp[0], fields, signature[0])
	refuse(!isRight || id[0] != operatorID, 1001, 401)
	return signature[0]
}

func readCall(message object) (all []transaction) {
	given := message["transactions"].([]any)
	isNamed := isID(message["playerId"]) && isID(message["gameCode"]) && isID(message["gameRound"])
	refuse(!isNamed || len(given) == 0 || len(given) > 500, 19, 400)
	refuse(message["transactionCount"] != json.Number(strconv.Itoa(len(given))), 16, 400)
	for _, one := range given {
		all = append(all, readTransaction(one.(object)))
	}
	return all
}

func readTransaction(given object) transaction {
	kind, _ := given["type"].(string)
	one := transaction{kind: strings.ToLower(kind), hash: given["hash"].(string), isFirst: flag(given["isFirstDebit"])}
	one.currency, _ = given["currency"].(string)
	one.serial, _ = given["serial"].(string)
	amount := new(big.Rat)
	if number, isNumber := given["amount"].(json.Number); isNumber {
		amount.SetString(number.String())
	}
	isDebit, isCredit := one.kind == "debit", one.kind == "credit"
	isFree := isDebit && (flag(given["freePlayUsed"]) == "true" || one.serial != "")
	refuse(!isDebit && !isCredit && one.kind != "end" && one.kind != "void", 19, 400)
	refuse(!isID(one.hash) || threeCapitals.MatchString(one.hash), 19, 400) // another call signs the same text
	refuse(!amount.IsInt() || amount.Sign() < 0 || amount.Cmp(big.NewRat(largest, 1)) > 0, 19, 400)
	refuse(given["currency"] != nil && !threeCapitals.MatchString(one.currency), 19, 400)
	refuse((isDebit || isCredit) && (one.currency == "" || given["amount"] == nil && !isFree), 19, 400)
	refuse(isFree && amount.Sign() != 0 || given["serial"] != nil && !isID(given["serial"]), 19, 400)
	refuse(given["discountAmount"] != nil && given["discountAmount"] != json.Number("0"), 33, 400)
	if one.amount = amount.Num().Int64(); !isDebit {
		one.isFirst = ""
	}
	return one
}

func flag(value any) string {
	text := strings.ToLower(fmt.Sprint(value))
	refuse(value != nil && text != "true" && text != "false", 19, 400)
	return strings.TrimPrefix(text, "<nil>")
}

func isID(value any) bool {
	text, _ := value.(string)
	return text != "" && len([]rune(text)) <= 128
}

func doTransactions(message object, all []transaction, signature, body string) (int, object) {
	lock.Lock()
	defer lock.Unlock()
	isVoids := true
	for _, one := range all {
		isVoids = isVoids && one.kind == "void"
	}
	// A signature names one body. A void signs what its debit signed in the same second: that is sent again.
	isOther := signatures[signature] != "" && signatures[signature] != body
	refuse(isOther && isVoids, 9007, 503)
	refuse(isOther, 1001, 401)
	signatures[signature] = body
	player, gameRound := message["playerId"].(string), message["gameRound"].(string)
	held, isKnown := players[player]
	refuse(!isKnown, 1, 400)
	key, decided, codes := [2]string{player, gameRound}, call{}, make([]int, len(all))
	for failing, pass := (map[int]int{}), 0; pass < 2; pass++ { // again with the debits that fail
		decided = call{round: rounds[key], account: held, gameRound: gameRound, failing: failing}
		decided.records = append([]record{}, decided.records...)
		failing = map[int]int{}
		for at, one := range all {
			if codes[at] = decided.decide(at, one); codes[at] != 0 && one.kind == "debit" {
				failing[at] = codes[at]
			}
		}
	}
	rounds[key], players[player] = decided.round, decided.account
	listed, reply, status := []object{}, balances(decided.account), 200
	for at, one := range all {
		listed = append(listed, object{"hash": one.hash})
		if codes[at] != 0 {
			listed[at]["errorCode"] = errorObject(codes[at])
		}
		if codes[at] != 0 && status == 200 {
			status, reply["errorCode"] = 400, errorObject(codes[at])
		}
	}
	reply["hashesProcessed"] = listed
	return status, reply
}

func errorObject(code int) object {
	return object{"id": code, "msg": messages[code], "clientmsg": "This did not work. Please try again."}
}

func balances(held account) object {
	return object{"balances": []object{{"type": "real", "amount": held.balance, "currency": held.currency}}}
}

func main() {
	address := "127.0.0.1:8080"
	if port := os.Getenv("PORT"); port != "" {
		address = "127.0.0.1:" + port
	}
	server := http.Server{Addr: address, Handler: http.HandlerFunc(serve), ReadTimeout: time.Minute}
	fmt.Println("http://" + address)
	log.Fatal(server.ListenAndServe())
}
