// Package rgssignature signs and verifies X-H-AUTH-SIG of the Operator API and the Game Engine API, with the standard
// library alone. A JSON number keeps its text as written in the body (json.Number), so that 10.00 is signed as 10.00.
// What cannot be read or signed is an error: answer it with 400.
package rgssignature

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"math/big"
	"regexp"
	"strings"
	"unicode/utf8"
)

// OperatorAPI has what is signed after secret, X-H-AUTH-ID and X-H-TIMESTAMP, in order. "?": left out if absent.
// Of each of the transactions it is the hash, then the amount.
var OperatorAPI = map[string]string{
	"doTransactions": "playerId gameCode gameRound transactions", "getBalance": "playerId currency gameCode?",
	"assignPlayerFreerounds": "playerId gameCode serial currency stake count", "getStats": "", "getGameList": "",
	"getGameConfiguration": "gameCode currency", "getGameURL": "playerId? gameCode currency language mode",
}

// ToProvider has the calls of the RGS to a game provider. A provider's own calls sign their body: SignBody.
var ToProvider = map[string]string{
	"getGameConfiguration": "currency", "getGameResult": "gameRound", "doAutoClose": "gameRound",
	"health": "", "certifiedfiles": "",
}

var notSignable = errors.New("a signed field is missing, of the wrong type, or has a # or a control character")
var unsignable = regexp.MustCompile("[#\\x00-\\x1f\\x7f-\u009f]")
var amountText = regexp.MustCompile(`^-?[0-9.]+([eE][+-]?[0-9]{1,2})?$`)

// ReadJSON reads a body. Its numbers are json.Number.
func ReadJSON(body []byte) (value any, err error) {
	if !utf8.Valid(body) || !json.Valid(body) {
		return nil, errors.New("not JSON in UTF-8")
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	return value, decoder.Decode(&value)
}

// Fields returns the signed fields of a message, by its entry in OperatorAPI or ToProvider; an amount is a json.Number.
func Fields(names string, message any) (fields []any, err error) {
	object, _ := message.(map[string]any)
	for _, name := range strings.Fields(names) {
		value, isThere := object[strings.TrimSuffix(name, "?")]
		if name == "transactions" {
			list, isList := value.([]any)
			if !isList {
				return nil, notSignable
			}
			for _, one := range list {
				transaction, _ := one.(map[string]any)
				fields = append(fields, text(transaction["hash"]))
				if transaction["amount"] != nil {
					fields = append(fields, amount(transaction["amount"]))
				}
			}
		} else if number, isNumber := value.(json.Number); isNumber && (name == "stake" || name == "count") {
			fields = append(fields, number.String())
		} else if isThere || !strings.HasSuffix(name, "?") {
			fields = append(fields, text(value))
		}
	}
	for _, field := range fields {
		if field == nil {
			return nil, notSignable
		}
	}
	return fields, nil
}

func text(value any) any {
	if text, isText := value.(string); isText && !unsignable.MatchString(text) {
		return text
	}
	return nil
}

func amount(value any) any {
	if number, isNumber := value.(json.Number); isNumber && len(number) <= 40 && amountText.MatchString(number.String()) {
		return number
	}
	return nil
}

// Sign makes X-H-AUTH-SIG of a call whose fields are signed.
func Sign(secret, authID, timestamp string, fields []any) string {
	return sign(secret, authID, timestamp, fields, false)
}

// Verify tells whether a signature is right, for the amounts as sent or in their shortest form: 10.5 for 10.50.
func Verify(secret, authID, timestamp string, fields []any, signature string) bool {
	asSent := hmac.Equal([]byte(sign(secret, authID, timestamp, fields, false)), []byte(signature))
	inShort := hmac.Equal([]byte(sign(secret, authID, timestamp, fields, true)), []byte(signature))
	return asSent || inShort
}

func sign(secret, authID, timestamp string, fields []any, inShort bool) string {
	parts := []string{secret, authID, timestamp}
	for _, field := range fields {
		number, isAmount := field.(json.Number)
		if !isAmount {
			parts = append(parts, field.(string))
		} else if exact, _ := new(big.Rat).SetString(number.String()); exact.Sign() != 0 { // a zero adds nothing
			if inShort {
				number = json.Number(strings.TrimRight(strings.TrimRight(exact.FloatString(140), "0"), "."))
			}
			parts = append(parts, number.String())
		}
	}
	return mac(secret, []byte(strings.Join(parts, "#")))
}

// SignBody makes X-H-AUTH-SIG of a game provider's call: its body as sent, nil if it has none.
func SignBody(secret, timestamp string, body []byte) string {
	return mac(secret, append(append([]byte{}, body...), "#"+timestamp...))
}

// VerifyBody tells whether a game provider's signature is right. Some sign {} where there is no body.
func VerifyBody(secret, timestamp string, body []byte, signature string) bool {
	asSent := hmac.Equal([]byte(SignBody(secret, timestamp, body)), []byte(signature))
	return asSent || len(body) == 0 && hmac.Equal([]byte(SignBody(secret, timestamp, []byte("{}"))), []byte(signature))
}

func mac(secret string, message []byte) string {
	hash := hmac.New(sha256.New, []byte(secret))
	hash.Write(message)
	return base64.StdEncoding.EncodeToString(hash.Sum(nil))
}
