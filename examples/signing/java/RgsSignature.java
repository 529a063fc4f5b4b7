import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * X-H-AUTH-SIG of the Operator API and the Game Engine API, with the standard library alone (Java 17 or later). An amount is a
 * {@link Json.Number}: its text as written in the body, so that 10.00 is signed as 10.00. What cannot be signed throws
 * IllegalArgumentException: answer it with 400.
 */
final class RgsSignature {
    /** Signed after secret, X-H-AUTH-ID and X-H-TIMESTAMP, in order; of transactions hash and amount. "?": left out if absent. */
    static final Map<String, String> OPERATOR_API = Map.of(
        "doTransactions", "playerId gameCode gameRound transactions",
        "getBalance", "playerId currency gameCode?",
        "assignPlayerFreerounds", "playerId gameCode serial currency stake count",
        "getStats", "", "getGameList", "", "getGameConfiguration", "gameCode currency",
        "getGameURL", "playerId? gameCode currency language mode");

    /** Calls of the RGS to a game provider. A provider's own calls sign their body: signBody. */
    static final Map<String, String> TO_PROVIDER = Map.of(
        "getGameConfiguration", "currency", "getGameResult", "gameRound", "doAutoClose", "gameRound",
        "health", "", "certifiedfiles", "");

    private static final Pattern UNSIGNABLE = Pattern.compile("[#\\x00-\\x1f\\x7f-\\x9f]");
    private static final Pattern AMOUNT = Pattern.compile("-?[0-9.]+(?:[eE][+-]?[0-9]{1,2})?");

    /** The signed fields of a message, by its entry in OPERATOR_API or TO_PROVIDER: String, and Json.Number for an amount. */
    static List<Object> fieldsOf(String names, Object message) {
        List<Object> fields = new ArrayList<>();
        for (String name : names.isEmpty() ? new String[0] : names.split(" ")) {
            Object value = member(message, name.replace("?", ""));
            if (name.equals("transactions")) {
                if (!(value instanceof List<?> list)) throw new IllegalArgumentException("transactions is not a list");
                for (Object one : list) {
                    fields.add(text(member(one, "hash")));
                    if (member(one, "amount") != null) fields.add(amount(member(one, "amount")));
                }
            } else if (value != null || !name.endsWith("?")) {
                boolean isNumber = value instanceof Json.Number && (name.equals("stake") || name.equals("count"));
                fields.add(text(isNumber ? ((Json.Number) value).text() : value));
            }
        }
        return fields;
    }

    private static Object member(Object of, String name) {
        return of instanceof Map<?, ?> map ? map.get(name) : null;
    }

    private static String text(Object value) {
        if (value instanceof String text && !UNSIGNABLE.matcher(text).find()) return text;
        throw new IllegalArgumentException("a signed field is missing, of the wrong type, or has a # or a control character");
    }

    private static Json.Number amount(Object value) {
        boolean isAmount = value instanceof Json.Number number && number.text().length() <= 40 && AMOUNT.matcher(number.text()).matches();
        if (isAmount) return (Json.Number) value;
        throw new IllegalArgumentException("an amount is of the wrong type or too long");
    }

    /** X-H-AUTH-SIG of a call whose fields are signed. */
    static String sign(String secret, String authId, String timestamp, List<Object> fields) {
        return sign(secret, authId, timestamp, fields, false);
    }

    /** Whether a signature is right, for the amounts as sent or in their shortest form: 10.5 for 10.50. */
    static boolean verify(String secret, String authId, String timestamp, List<Object> fields, String signature) {
        boolean asSent = same(sign(secret, authId, timestamp, fields, false), signature);
        return same(sign(secret, authId, timestamp, fields, true), signature) | asSent;
    }

    private static String sign(String secret, String authId, String timestamp, List<Object> fields, boolean inShort) {
        List<String> parts = new ArrayList<>(List.of(secret, authId, timestamp));
        for (Object field : fields) {
            if (field instanceof Json.Number number) {
                BigDecimal exact = new BigDecimal(number.text());
                if (exact.signum() == 0) continue; // a zero in any spelling adds nothing
                parts.add(inShort ? exact.stripTrailingZeros().toPlainString() : number.text());
            } else parts.add((String) field);
        }
        return mac(secret, String.join("#", parts).getBytes(StandardCharsets.UTF_8));
    }

    /** X-H-AUTH-SIG of a game provider's call: its body as sent, empty if it has none. */
    static String signBody(String secret, String timestamp, byte[] body) {
        byte[] end = ("#" + timestamp).getBytes(StandardCharsets.UTF_8);
        byte[] signed = java.util.Arrays.copyOf(body, body.length + end.length);
        System.arraycopy(end, 0, signed, body.length, end.length);
        return mac(secret, signed);
    }

    /** Whether a game provider's signature is right. Some sign {} where there is no body. */
    static boolean verifyBody(String secret, String timestamp, byte[] body, String signature) {
        byte[] other = body.length == 0 ? new byte[] {'{', '}'} : body;
        return same(signBody(secret, timestamp, body), signature) | same(signBody(secret, timestamp, other), signature);
    }

    private static String mac(String secret, byte[] message) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            return Base64.getEncoder().encodeToString(mac.doFinal(message));
        } catch (GeneralSecurityException error) {
            throw new IllegalStateException(error);
        }
    }

    private static boolean same(String made, String signature) {
        return MessageDigest.isEqual(made.getBytes(StandardCharsets.UTF_8), signature.getBytes(StandardCharsets.UTF_8));
    }
}
