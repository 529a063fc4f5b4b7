using System;
using System.Collections.Generic;
using System.Linq;
using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;

/// <summary>
/// X-H-AUTH-SIG of the Operator API and the Game Engine API, with the standard library alone. An amount is a JsonNumber: its
/// text as written in the body, so that 10.00 is signed as 10.00. What cannot be signed throws FormatException: answer it with 400.
/// </summary>
public static class RgsSignature
{
    /// <summary>
    /// What is signed after secret, X-H-AUTH-ID and X-H-TIMESTAMP, in order; of transactions hash and amount. "?": left out if absent.
    /// </summary>
    public static readonly IReadOnlyDictionary<string, string> OperatorApi = new Dictionary<string, string>
    {
        ["doTransactions"] = "playerId gameCode gameRound transactions",
        ["getBalance"] = "playerId currency gameCode?",
        ["assignPlayerFreerounds"] = "playerId gameCode serial currency stake count",
        ["getStats"] = "", ["getGameList"] = "", ["getGameConfiguration"] = "gameCode currency",
        ["getGameURL"] = "playerId? gameCode currency language mode",
    };

    /// <summary>Calls of the RGS to a game provider. A provider's own calls sign their body: SignBody.</summary>
    public static readonly IReadOnlyDictionary<string, string> ToProvider = new Dictionary<string, string>
    {
        ["getGameConfiguration"] = "currency", ["getGameResult"] = "gameRound", ["doAutoClose"] = "gameRound",
        ["health"] = "", ["certifiedfiles"] = "",
    };

    /// <summary>The signed fields of a message, by its entry in OperatorApi or ToProvider: string, and JsonNumber for an amount.</summary>
    public static List<object> FieldsOf(string names, object message)
    {
        var fields = new List<object>();
        foreach (var name in names.Split(new[] { ' ' }, StringSplitOptions.RemoveEmptyEntries))
        {
            var value = Member(message, name.TrimEnd('?'));
            if (name == "transactions")
            {
                if (!(value is List<object>)) throw new FormatException("transactions is not a list");
                foreach (var one in (List<object>)value)
                {
                    fields.Add(Text(Member(one, "hash")));
                    if (Member(one, "amount") != null) fields.Add(Amount(Member(one, "amount") as JsonNumber));
                }
            }
            else if (value is JsonNumber && (name == "stake" || name == "count")) fields.Add(((JsonNumber)value).Text);
            else if (value != null || !name.EndsWith("?")) fields.Add(Text(value));
        }
        return fields;
    }

    static object Member(object of, string name)
    {
        object value = null;
        (of as Dictionary<string, object>)?.TryGetValue(name, out value);
        return value;
    }

    static string Text(object value)
    {
        var text = value as string;
        if (text != null && !Regex.IsMatch(text, @"[#\u0000-\u001f\u007f-\u009f]")) return text;
        throw new FormatException("a signed field is missing, of the wrong type, or has a # or a control character");
    }

    static JsonNumber Amount(JsonNumber amount)
    {
        if (amount != null && amount.Text.Length <= 40 && !Regex.IsMatch(amount.Text, "[eE][+-]?[0-9]{3}")) return amount;
        throw new FormatException("an amount is of the wrong type or too long");
    }

    /// <summary>The texts that a field adds: none for an amount of zero, and 10.5 for 10.50 in short.</summary>
    static IEnumerable<string> Spelt(object field, bool inShort)
    {
        if (field is string) return new[] { (string)field };
        var text = ((JsonNumber)field).Text;
        var part = Regex.Match(text, @"^(-?)([0-9]+)\.?([0-9]*)(?:[eE]\+?(-?[0-9]+))?$").Groups;
        string whole = part[2].Value, fraction = part[3].Value;
        if ((whole + fraction).Trim('0') == "") return new string[0];
        if (!inShort) return new[] { text };
        var digits = new string('0', 99) + whole + fraction + new string('0', 99);
        var point = 99 + whole.Length + (part[4].Success ? int.Parse(part[4].Value) : 0);
        whole = digits.Substring(0, point).TrimStart('0');
        return new[] { part[1].Value + (whole == "" ? "0" : whole) + ("." + digits.Substring(point).TrimEnd('0')).TrimEnd('.') };
    }

    /// <summary>X-H-AUTH-SIG of a call whose fields are signed.</summary>
    public static string Sign(string secret, string authId, string timestamp, List<object> fields, bool inShort = false)
    {
        var parts = new[] { secret, authId, timestamp }.Concat(fields.SelectMany(field => Spelt(field, inShort)));
        return Mac(secret, Encoding.UTF8.GetBytes(string.Join("#", parts)));
    }

    /// <summary>Whether a signature is right, for the amounts as sent or in short.</summary>
    public static bool Verify(string secret, string authId, string timestamp, List<object> fields, string signature)
    {
        return Same(Sign(secret, authId, timestamp, fields), signature)
            | Same(Sign(secret, authId, timestamp, fields, true), signature);
    }

    /// <summary>X-H-AUTH-SIG of a game provider's call: its body as sent, empty if it has none.</summary>
    public static string SignBody(string secret, string timestamp, byte[] body)
    {
        return Mac(secret, body.Concat(Encoding.UTF8.GetBytes("#" + timestamp)).ToArray());
    }

    /// <summary>Whether a game provider's signature is right. Some sign {} where there is no body.</summary>
    public static bool VerifyBody(string secret, string timestamp, byte[] body, string signature)
    {
        var other = body.Length == 0 ? Encoding.UTF8.GetBytes("{}") : body;
        return Same(SignBody(secret, timestamp, body), signature) | Same(SignBody(secret, timestamp, other), signature);
    }

    static string Mac(string secret, byte[] message)
    {
        using (var mac = new HMACSHA256(Encoding.UTF8.GetBytes(secret))) return Convert.ToBase64String(mac.ComputeHash(message));
    }

    static bool Same(string made, string signature)
    {
        return CryptographicOperations.FixedTimeEquals(Encoding.UTF8.GetBytes(made), Encoding.UTF8.GetBytes(signature));
    }
}
