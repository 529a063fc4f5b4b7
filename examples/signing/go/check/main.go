// Check signs and verifies every vector of the files named: go run ./check ../../../vectors/signature.json
package main

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"strings"

	rgs "rgssignature"
)

type vector struct {
	Direction, Operation, Call, Why, Secret, OperatorID, GameProviderID, Timestamp, Body, Query, Signature string
	Valid                                                                                                  bool
}

// check returns the signature of the vector as this helper makes it, and whether it accepts the vector's own.
func check(v vector) (string, bool) {
	if v.Direction == "toService" {
		return rgs.SignBody(v.Secret, v.Timestamp, []byte(v.Body)), rgs.VerifyBody(v.Secret, v.Timestamp, []byte(v.Body), v.Signature)
	}
	query := map[string]any{}
	values, _ := url.ParseQuery(v.Query)
	for name := range values {
		query[name] = values.Get(name)
	}
	var message any = query
	if v.Body != "" {
		message, _ = rgs.ReadJSON([]byte(v.Body))
	}
	fields, err := rgs.Fields(rgs.OperatorAPI[v.Operation]+rgs.ToProvider[v.Call], message)
	if err != nil {
		return "", false
	}
	caller := v.OperatorID + v.GameProviderID
	return rgs.Sign(v.Secret, caller, v.Timestamp, fields), rgs.Verify(v.Secret, caller, v.Timestamp, fields, v.Signature)
}

func main() {
	wrong := 0
	for _, path := range os.Args[1:] {
		var file struct{ Vectors []vector }
		text, err := os.ReadFile(path)
		if err == nil {
			err = json.Unmarshal(text, &file)
		}
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		for _, one := range file.Vectors {
			made, accepted := check(one)
			// A receiver accepts a second spelling in some vectors, which this helper does not sign.
			isSecond := strings.Contains(one.Why, "shortest") || strings.Contains(one.Why, "in place of")
			if accepted != one.Valid || one.Valid && !isSecond && made != one.Signature {
				wrong++
				fmt.Printf("wrong: %s: %s\n", one.Operation+one.Call, one.Why)
			}
		}
		fmt.Printf("%s: %d vectors\n", path, len(file.Vectors))
	}
	fmt.Printf("%d wrong\n", wrong)
	if wrong > 0 {
		os.Exit(1)
	}
}
