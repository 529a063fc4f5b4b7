using System;
using System.Collections.Generic;
using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;

/// <summary>The text of a JSON number as written in the body.</summary>
public sealed class JsonNumber
{
    public readonly string Text;
    public JsonNumber(string text) { Text = text; }
}

/// <summary>
/// Reads JSON, so that this runs on Mono as well. On .NET use System.Text.Json instead: GetRawText() of a JsonElement is the
/// text of a number as written.
/// </summary>
public sealed class Json
{
    static readonly Regex Number = new Regex(@"\G-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?");
    const string Escapes = "\"\\/bfnrt", Escaped = "\"\\/\b\f\n\r\t";
    readonly string text;
    int at;

    Json(string text) { this.text = text; }

    /// <summary>A Dictionary, List, string, JsonNumber, bool or null. Throws FormatException if it is not JSON in UTF-8.</summary>
    public static object Read(byte[] body)
    {
        try
        {
            var json = new Json(new UTF8Encoding(false, true).GetString(body));
            var value = json.Value(0);
            json.Expect(json.Peek() == '\0' && json.at == json.text.Length);
            return value;
        }
        catch (DecoderFallbackException error) { throw new FormatException("not UTF-8", error); }
    }

    object Value(int depth)
    {
        Expect(depth < 64);
        switch (Peek())
        {
            case '"': return Text();
            case '{': return Object(depth);
            case '[': return List(depth);
            case 't': return Word("true", true);
            case 'f': return Word("false", false);
            case 'n': return Word("null", null);
        }
        var number = Number.Match(text, at);
        Expect(number.Success);
        at += number.Length;
        return new JsonNumber(number.Value);
    }

    object Word(string word, object value)
    {
        Expect(string.CompareOrdinal(text, at, word, 0, word.Length) == 0);
        at += word.Length;
        return value;
    }

    Dictionary<string, object> Object(int depth)
    {
        var members = new Dictionary<string, object>();
        for (var before = Take("{"); before != '}'; before = Take(",}"))
        {
            if (members.Count == 0 && Peek() == '}') continue;
            var name = Text();
            Take(":");
            Expect(!members.ContainsKey(name));
            members[name] = Value(depth + 1);
        }
        return members;
    }

    List<object> List(int depth)
    {
        var items = new List<object>();
        for (var before = Take("["); before != ']'; before = Take(",]"))
        {
            if (items.Count == 0 && Peek() == ']') continue;
            items.Add(Value(depth + 1));
        }
        return items;
    }

    string Text()
    {
        Take("\"");
        var read = new StringBuilder();
        for (var one = Next(); one != '"'; one = Next())
        {
            Expect(one >= ' ');
            if (one == '\\')
            {
                one = Next();
                Expect(one == 'u' || Escapes.IndexOf(one) >= 0);
                one = one == 'u' ? Hex() : Escaped[Escapes.IndexOf(one)];
            }
            read.Append(one);
        }
        return read.ToString();
    }

    char Hex()
    {
        ushort code = 0;
        var isHex = at + 4 <= text.Length
            && ushort.TryParse(text.Substring(at, 4), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out code);
        Expect(isHex);
        at += 4;
        return (char)code;
    }

    char Peek()
    {
        while (at < text.Length && " \t\r\n".IndexOf(text[at]) >= 0) at++;
        return at < text.Length ? text[at] : '\0';
    }

    char Take(string oneOf)
    {
        Expect(oneOf.IndexOf(Peek()) >= 0);
        return Next();
    }

    char Next()
    {
        Expect(at < text.Length);
        return text[at++];
    }

    void Expect(bool isRight)
    {
        if (!isRight) throw new FormatException("not JSON at character " + at);
    }
}
