import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads JSON, which Java's standard library does not. A number is a {@link Number}: its text as written. With Jackson, use
 * a JsonParser instead and take getText() of each number.
 */
final class Json {
    record Number(String text) {}

    private static final Pattern NUMBER = Pattern.compile("-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?");
    private static final String ESCAPES = "\"\\/bfnrt";
    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    /** A Map, List, String, Number, Boolean or null. Throws IllegalArgumentException if it is not JSON in UTF-8. */
    static Object read(byte[] body) {
        try {
            Json json = new Json(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString());
            Object value = json.value(0);
            json.expect(json.peek() == '\0' && json.at == json.text.length());
            return value;
        } catch (CharacterCodingException error) {
            throw new IllegalArgumentException("not UTF-8", error);
        }
    }

    private Object value(int depth) {
        expect(depth < 64);
        char first = peek();
        if (first == '"') return string();
        if (first == '{') return object(depth);
        if (first == '[') return list(depth);
        for (String word : List.of("true", "false", "null")) {
            if (text.startsWith(word, at)) {
                at += word.length();
                return word.equals("null") ? null : Boolean.valueOf(word);
            }
        }
        Matcher number = NUMBER.matcher(text).region(at, text.length());
        expect(number.lookingAt());
        at = number.end();
        return new Number(number.group());
    }

    private Map<String, Object> object(int depth) {
        Map<String, Object> members = new HashMap<>();
        for (char before = take("{"); before != '}'; before = take(",}")) {
            if (members.isEmpty() && peek() == '}') continue;
            String name = string();
            take(":");
            expect(!members.containsKey(name));
            members.put(name, value(depth + 1));
        }
        return members;
    }

    private List<Object> list(int depth) {
        List<Object> items = new ArrayList<>();
        for (char before = take("["); before != ']'; before = take(",]")) {
            if (items.isEmpty() && peek() == ']') continue;
            items.add(value(depth + 1));
        }
        return items;
    }

    private String string() {
        take("\"");
        StringBuilder read = new StringBuilder();
        for (char one = next(); one != '"'; one = next()) {
            expect(one >= ' ');
            if (one == '\\') {
                char escaped = next();
                expect(escaped == 'u' || ESCAPES.indexOf(escaped) >= 0);
                one = escaped == 'u' ? hex() : "\"\\/\b\f\n\r\t".charAt(ESCAPES.indexOf(escaped));
            }
            read.append(one);
        }
        return read.toString();
    }

    private char hex() {
        expect(at + 4 <= text.length() && text.substring(at, at + 4).matches("[0-9a-fA-F]{4}"));
        at += 4;
        return (char) Integer.parseInt(text.substring(at - 4, at), 16);
    }

    private char peek() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
        return at < text.length() ? text.charAt(at) : '\0';
    }

    private char take(String oneOf) {
        expect(at <= text.length() && oneOf.indexOf(peek()) >= 0);
        return next();
    }

    private char next() {
        expect(at < text.length());
        return text.charAt(at++);
    }

    private void expect(boolean isRight) {
        if (!isRight) throw new IllegalArgumentException("not JSON at character " + at);
    }
}
