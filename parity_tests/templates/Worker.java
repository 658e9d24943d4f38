// A worker to begin with, in Java 17 without packages: `java Worker.java`. It reads, checks and answers every
// line of the protocol; fill in `compute`, `apply` and ARITY, with classes of your own, and claim the profiles
// that you have. With those, `javac -d build *.java` and `java -cp build Worker`.
import java.io.*;
import java.math.*;
import java.nio.ByteBuffer;
import java.nio.charset.*;
import java.util.*;
import java.util.regex.*;

public class Worker {
  static final String STARTED = """
      {"kind":"started","protocol":"1","contract":"2.1.0","profiles":["core"],"implementation":\
      {"name":"mine","language":"Java","version":"0.1","runtime":"%s"}}""".formatted(Runtime.version());
  static final String STOPPED = "{\"kind\":\"stopped\"}";
  // What belongs to `core`; other profiles have more commands. A limit of another command changes nothing.
  static final List<String> COMMANDS = List.of("introspect", "canonicalize", "evaluate");
  static final Map<String, Long> LIMITS = new TreeMap<>(Map.of("characters", 65_536L, "nodes", 10_000L, "variables", 1_000L));

  static {
    LIMITS.putAll(Map.of("sweep_nodes", 1_000_000L, "steps", 20_000L, "path_edges", 20_000L, "truth_work", 1_000_000L));
    LIMITS.putAll(Map.of("evaluations", 1_000_000L, "descent_nodes", 5_000_000L, "descent_numbers", 100_000L, "tangents", 200_000L));
  }

  static final Map<String, Integer> ARITY = Map.of("+", 2);
  static final int DEEPEST = 100;

  /**
   * A request, as it came, and all limits -> what the command asks for: a document, an outline... A value of JSON is
   * null, a Boolean, a Number, a String, a List, or a Map, here a TreeMap in UTF-16 order, as R31 has it.
   */
  static Object compute(String command, Map<?, ?> request, Map<String, Long> limits) {
    throw new Fault("skipped", "does not have " + command);
  }

  /** Finite doubles -> the operation's result, or null outside of its domain. */
  static Double apply(String operation, List<Double> operands) {
    return operands.get(0) + operands.get(1);
  }

  /** Why there is no result: `refused` or `skipped` and the reason, or `error` and what `error` makes. */
  static class Fault extends RuntimeException {
    final String kind;
    final Object content;

    Fault(String kind, Object content) {
      super(kind);
      this.kind = kind;
      this.content = content;
    }
  }

  /** The contract's error (R30), to be thrown: its code, where it is in the text or null, and the data of that code. */
  static Fault error(String code, Object span, Map<String, ?> data) {
    Map<String, Object> all = new TreeMap<>(data);
    all.put("code", code);
    all.put("message", code); // for people: say it in words
    all.put("span", span);
    return new Fault("error", all);
  }

  static Map<String, Integer> span(int start, int end) {
    return Map.of("start", start, "end", end);
  }

  /** A value of JSON -> its canonical text (R33). */
  static String written(Object value) {
    if (value instanceof Number number) return digits(number.doubleValue());
    if (value instanceof String text) return quoted(text);
    StringJoiner items = new StringJoiner(",", "[", "]");
    if (value instanceof List<?> list) {
      for (Object item : list) items.add(written(item));
      return items.toString();
    }
    StringJoiner members = new StringJoiner(",", "{", "}");
    if (value instanceof Map<?, ?> map) {
      new TreeMap<>(map).forEach((name, member) -> members.add(quoted((String) name) + ":" + written(member)));
      return members.toString();
    }
    return String.valueOf(value);
  }

  /** A double as ECMAScript writes it: before Java 19, Double.toString may have more digits than it takes. */
  static String digits(double number) {
    if (number == Math.rint(number) && Math.abs(number) < 1e15) return Long.toString((long) number);
    BigDecimal exact = new BigDecimal(Math.abs(number)), text = exact;
    for (int count = 1; count <= 17; count++) {
      // Next to a power of two, the shortest text may not be the nearest of its length.
      text = exact.round(new MathContext(count, RoundingMode.HALF_EVEN));
      if (text.doubleValue() == Math.abs(number)) break;
      text = exact.round(new MathContext(count, RoundingMode.UP));
      if (text.doubleValue() == Math.abs(number)) break;
    }
    String all = text.stripTrailingZeros().unscaledValue().toString(), sign = number < 0 ? "-" : "";
    int count = all.length(), point = text.precision() - text.scale();
    if (count <= point && point <= 21) return sign + all + "0".repeat(point - count);
    if (0 < point && point <= 21) return sign + all.substring(0, point) + "." + all.substring(point);
    if (-6 < point && point <= 0) return sign + "0." + "0".repeat(-point) + all;
    String mantissa = count == 1 ? all : all.charAt(0) + "." + all.substring(1);
    return sign + mantissa + (point > 0 ? "e+" : "e") + (point - 1);
  }

  static String quoted(String text) {
    StringBuilder all = new StringBuilder("\"");
    text.codePoints().forEach(each -> {
      int place = "\"\\\b\f\n\r\t".indexOf(each);
      boolean isHalf = each >= 0xd800 && each < 0xe000; // of a surrogate pair: UTF-8 has none
      if (place >= 0) all.append('\\').append("\"\\bfnrt".charAt(place));
      else if (each < ' ' || isHalf) all.append("\\u%04x".formatted(each));
      else all.appendCodePoint(each);
    });
    return all.append('"').toString();
  }

  static String answer(byte[] line) {
    Object message = null;
    try {
      message = new Reader(line).only();
      Map<?, ?> members = members(message, "the message");
      String kind = text(members, "kind");
      if (kind.equals("run")) return response(message, "result", Map.of("result", run(members)));
      need(kind.equals("start") || kind.equals("stop"), "kind");
      keys(members, kind.equals("start") ? List.of("kind", "protocol") : List.of("kind"), Set.of());
      if (kind.equals("stop")) return STOPPED;
      text(members, "protocol");
      return STARTED;
    } catch (Fault fault) {
      String member = fault.kind.equals("error") ? "error" : "reason";
      return response(message, fault.kind, Map.of(member, fault.content));
    } catch (RuntimeException | StackOverflowError fault) {
      String trace = Arrays.toString(fault.getStackTrace());
      return response(message, "crashed", Map.of("message", fault.toString(), "traceback", trace));
    }
  }

  static String response(Object message, String kind, Map<String, ?> content) {
    Object sequence = message instanceof Map<?, ?> members ? members.get("sequence") : null;
    Map<String, Object> all = new TreeMap<>(content);
    all.put("kind", kind);
    all.put("sequence", isWhole(sequence) ? sequence : null);
    return written(all);
  }

  static Object run(Map<?, ?> message) {
    need(isWhole(message.get("sequence")), "sequence");
    String command = text(message, "command");
    if (!COMMANDS.contains(command)) throw new Fault("skipped", "an unknown command"); // with whatever it has
    boolean evaluates = command.equals("evaluate");
    keys(message, List.of("kind", "sequence", "command", "request"), evaluates ? Set.of() : Set.of("limits"));
    Map<?, ?> request = members(message.get("request"), "request");
    if (evaluates) return evaluate(request);
    Map<?, ?> given = message.containsKey("limits") ? members(message.get("limits"), "limits") : Map.of();
    keys(given, List.of(), LIMITS.keySet());
    Map<String, Long> limits = new TreeMap<>(LIMITS);
    given.forEach((name, bound) -> {
      need(isWhole(bound), "a limit");
      limits.put((String) name, ((Double) bound).longValue());
    });
    return compute(command, request, limits);
  }

  static List<String> evaluate(Map<?, ?> request) {
    keys(request, List.of("operation", "operands"), Set.of());
    String operation = text(request, "operation");
    List<List<Double>> rows = new ArrayList<>();
    for (Object row : items(request.get("operands"))) rows.add(items(row).stream().map(Worker::operand).toList());
    if (!ARITY.containsKey(operation)) throw new Fault("skipped", "an unknown operation");
    need(rows.stream().allMatch(row -> row.size() == ARITY.get(operation)), "a row");
    List<String> results = new ArrayList<>();
    for (List<Double> row : rows) {
      Double result = row.stream().allMatch(Double::isFinite) ? apply(operation, row) : null;
      results.add(result == null ? null : "%016x".formatted(Double.doubleToRawLongBits(result)));
    }
    return results;
  }

  static Double operand(Object bits) {
    need(bits instanceof String text && text.matches("[0-9a-f]{16}"), "an operand");
    return Double.longBitsToDouble(Long.parseUnsignedLong((String) bits, 16));
  }

  static void need(boolean right, String what) {
    if (!right) throw new Fault("refused", what + " is missing, unknown or wrong");
  }

  static void keys(Map<?, ?> members, List<String> required, Set<String> optional) {
    need(members.keySet().containsAll(required), "a member");
    need(members.keySet().stream().allMatch(name -> required.contains(name) || optional.contains(name)), "a member");
  }

  static Map<?, ?> members(Object value, String what) {
    need(value instanceof Map, what);
    return (Map<?, ?>) value;
  }

  static List<?> items(Object value) {
    need(value instanceof List, "an array");
    return (List<?>) value;
  }

  static String text(Map<?, ?> members, String name) {
    need(members.get(name) instanceof String, name);
    return (String) members.get(name);
  }

  static boolean isWhole(Object value) {
    return value instanceof Double number && number >= 0 && number <= 0x1p53 - 1 && number % 1 == 0;
  }

  /** A line -> its one JSON value. Of members with one name the last counts. */
  static class Reader {
    static final Pattern NUMBER = Pattern.compile("-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?");
    final String text;
    int at = 0;

    Reader(byte[] line) {
      try {
        text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(line)).toString();
      } catch (CharacterCodingException fault) {
        throw new Fault("refused", "the line is not UTF-8");
      }
    }

    Object only() {
      Object value = value(0);
      need(take("") && at == text.length(), "the end");
      return value;
    }

    /** Skip blanks, and then this token if it is there. */
    boolean take(String token) {
      while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
      boolean found = text.startsWith(token, at);
      if (found) at += token.length();
      return found;
    }

    Object value(int depth) {
      if (take("null")) return null;
      if (take("true")) return true;
      if (take("false")) return false;
      if (take("\"")) return string();
      if (take("[")) {
        need(depth < DEEPEST, "the depth");
        List<Object> items = new ArrayList<>();
        for (boolean more = !take("]"); more; more = goesOn("]")) items.add(value(depth + 1));
        return items;
      }
      if (take("{")) {
        need(depth < DEEPEST, "the depth");
        Map<String, Object> members = new TreeMap<>();
        for (boolean more = !take("}"); more; more = goesOn("}")) {
          need(take("\""), "a name");
          String name = string();
          need(take(":"), "a colon");
          members.put(name, value(depth + 1));
        }
        return members;
      }
      Matcher number = NUMBER.matcher(text).region(at, text.length());
      need(number.lookingAt(), "a value");
      at = number.end();
      return Double.valueOf(number.group()); // the nearest double, or infinity
    }

    boolean goesOn(String close) {
      boolean comma = take(",");
      need(comma || take(close), "a comma");
      return comma;
    }

    String string() {
      StringBuilder string = new StringBuilder();
      for (; at < text.length() && text.charAt(at) >= ' '; at++) {
        char each = text.charAt(at);
        if (each == '"') break;
        string.append(each == '\\' ? escape() : each);
      }
      need(at < text.length() && text.charAt(at++) == '"', "the end of a string");
      return string.toString();
    }

    char escape() {
      int letter = ++at < text.length() ? "\"\\/bfnrtu".indexOf(text.charAt(at)) : -1;
      need(letter >= 0, "an escape");
      if (letter < 8) return "\"\\/\b\f\n\r\t".charAt(letter);
      String digits = text.substring(at + 1, Math.min(at + 5, text.length()));
      need(digits.matches("[0-9a-fA-F]{4}"), "an escape");
      at += 4;
      return (char) Integer.parseInt(digits, 16);
    }
  }

  public static void main(String[] arguments) throws IOException {
    PrintStream output = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    InputStream input = new BufferedInputStream(System.in);
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int each; (each = input.read()) >= 0; ) {
      if (each != '\n') {
        line.write(each);
        continue;
      }
      String response = answer(line.toByteArray());
      output.println(response);
      if (response.equals(STOPPED)) return;
      line.reset();
    }
  }
}
