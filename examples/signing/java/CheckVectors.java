import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Signs and verifies every vector of the files named: java CheckVectors signature.json engine.json */
final class CheckVectors {
    public static void main(String[] paths) throws Exception {
        int wrong = 0;
        for (String path : paths) {
            List<?> vectors = (List<?>) ((Map<?, ?>) Json.read(Files.readAllBytes(Path.of(path)))).get("vectors");
            for (Object one : vectors) wrong += isRight((Map<?, ?>) one) ? 0 : 1;
            System.out.println(path + ": " + vectors.size() + " vectors");
        }
        System.out.println(wrong + " wrong");
        System.exit(wrong == 0 ? 0 : 1);
    }

    private static boolean isRight(Map<?, ?> vector) {
        String why = (String) vector.get("why"), signature = (String) vector.get("signature");
        String secret = (String) vector.get("secret"), timestamp = (String) vector.get("timestamp");
        byte[] body = text(vector, "body").getBytes(StandardCharsets.UTF_8);
        String made = null;
        boolean accepted = false;
        if (text(vector, "direction").equals("toService")) {
            made = RgsSignature.signBody(secret, timestamp, body);
            accepted = RgsSignature.verifyBody(secret, timestamp, body, signature);
        } else {
            try {
                String operation = text(vector, "operation"), caller = text(vector, "operatorId") + text(vector, "gameProviderId");
                String names = operation.isEmpty() ? RgsSignature.TO_PROVIDER.get(text(vector, "call")) : RgsSignature.OPERATOR_API.get(operation);
                List<Object> fields = RgsSignature.fieldsOf(names, body.length == 0 ? query(text(vector, "query")) : Json.read(body));
                made = RgsSignature.sign(secret, caller, timestamp, fields);
                accepted = RgsSignature.verify(secret, caller, timestamp, fields, signature);
            } catch (IllegalArgumentException error) {
                made = null; // it cannot be signed
            }
        }
        // A receiver accepts a second spelling in some vectors, which this helper does not sign.
        boolean isSecond = why.contains("shortest") || why.contains("in place of"), valid = (Boolean) vector.get("valid");
        boolean isRight = accepted == valid && (!valid || isSecond || signature.equals(made));
        if (!isRight) System.out.println("wrong: " + text(vector, "operation") + text(vector, "call") + ": " + why);
        return isRight;
    }

    private static String text(Map<?, ?> vector, String name) {
        return vector.get(name) instanceof String text ? text : "";
    }

    private static Map<String, Object> query(String query) {
        Map<String, Object> members = new HashMap<>();
        for (String pair : query.isEmpty() ? new String[0] : query.split("&")) {
            String[] parts = pair.split("=", 2);
            members.put(parts[0], URLDecoder.decode(parts[1], StandardCharsets.UTF_8));
        }
        return members;
    }
}
