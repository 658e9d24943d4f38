// A worker to begin with, in Java 17 without packages: `java Worker.java`. It reads, checks and answers every
// line of the protocol; fill in `compute`, `apply` and ARITY, and claim the profiles that you have.
import java.io.*;
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
  static final List<String> LIMITS = List.of(
      "characters", "nodes", "variables", "sweep_nodes", "steps", "path_edges",
      "truth_work", "evaluations", "descent_nodes", "descent_numbers", "tangents");
  static final Map<String, Integer> ARITY = Map.of("+", 2);
  static final int DEEPEST = 100;

  /** A request of a program -> what the command asks for, as JSON: a document, an outline... */
  static String compute(String command, Map<?, ?> request, Map<?, ?> limits) {
    throw new Fault("skipped", "does not have " + command);
  }

  /** Finite doubles -> the operation's result, or null outside of its domain. */
  static Double apply(String operation, List<Double> operands) {
    return operands.get(0) + operands.get(1);
  }

  /** Why there is no result: `refused` or `skipped` and the reason, or `error` and its JSON. */
  static class Fault extends RuntimeException {
    final String kind;

    Fault(String kind, String reason) {
      super(reason);
      this.kind = kind;
    }
  }

  static String answer(byte[] line) {
    Object message = null;
    try {
      message = new Reader(line).only();
      Map<?, ?> members = members(message, "the message");
      String kind = text(members, "kind");
      if (kind.equals("run")) return response(message, "result", "result", run(members));
      need(kind.equals("start") || kind.equals("stop"), "kind");
      keys(members, kind.equals("start") ? List.of("kind", "protocol") : List.of("kind"), List.of());
      if (kind.equals("stop")) return STOPPED;
      text(members, "protocol");
      return STARTED;
    } catch (Fault fault) {
      boolean isError = fault.kind.equals("error");
      String text = isError ? fault.getMessage() : quoted(fault.getMessage());
      return response(message, fault.kind, isError ? "error" : "reason", text);
    } catch (RuntimeException fault) {
      String trace = quoted(Arrays.toString(fault.getStackTrace()));
      return response(message, "crashed", "message", quoted(fault.toString()) + ",\"traceback\":" + trace);
    }
  }

  static String response(Object message, String kind, String member, String value) {
    Object sequence = message instanceof Map<?, ?> members ? members.get("sequence") : null;
    String number = isWhole(sequence) ? String.valueOf(((Double) sequence).longValue()) : "null";
    return "{\"kind\":\"%s\",\"sequence\":%s,\"%s\":%s}".formatted(kind, number, member, value);
  }

  static String run(Map<?, ?> message) {
    need(isWhole(message.get("sequence")), "sequence");
    String command = text(message, "command");
    if (!COMMANDS.contains(command)) throw new Fault("skipped", "an unknown command"); // with whatever it has
    boolean evaluates = command.equals("evaluate");
    keys(message, List.of("kind", "sequence", "command", "request"), evaluates ? List.of() : List.of("limits"));
    Map<?, ?> request = members(message.get("request"), "request");
    if (evaluates) return evaluate(request);
    Map<?, ?> limits = message.containsKey("limits") ? members(message.get("limits"), "limits") : Map.of();
    keys(limits, List.of(), LIMITS);
    need(limits.values().stream().allMatch(Worker::isWhole), "a limit");
    return compute(command, request, limits);
  }

  static String evaluate(Map<?, ?> request) {
    keys(request, List.of("operation", "operands"), List.of());
    String operation = text(request, "operation");
    List<List<Double>> rows = new ArrayList<>();
    for (Object row : items(request.get("operands"))) rows.add(items(row).stream().map(Worker::operand).toList());
    if (!ARITY.containsKey(operation)) throw new Fault("skipped", "an unknown operation");
    need(rows.stream().allMatch(row -> row.size() == ARITY.get(operation)), "a row");
    List<String> results = new ArrayList<>();
    for (List<Double> row : rows) {
      Double result = row.stream().allMatch(Double::isFinite) ? apply(operation, row) : null;
      results.add(result == null ? "null" : "\"%016x\"".formatted(Double.doubleToRawLongBits(result)));
    }
    return results.toString();
  }

  static Double operand(Object bits) {
    need(bits instanceof String text && text.matches("[0-9a-f]{16}"), "an operand");
    return Double.longBitsToDouble(Long.parseUnsignedLong((String) bits, 16));
  }

  static void need(boolean right, String what) {
    if (!right) throw new Fault("refused", what + " is missing, unknown or wrong");
  }

  static void keys(Map<?, ?> members, List<String> required, List<String> optional) {
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

  static String quoted(String text) {
    return '"' + text.replaceAll("[\"\\\\\\p{Cntrl}]", "?") + '"';
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
    InputStream input = new BufferedInputStream(System.in);
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int each; (each = input.read()) >= 0; ) {
      if (each != '\n') {
        line.write(each);
        continue;
      }
      String response = answer(line.toByteArray());
      System.out.println(response);
      if (response.equals(STOPPED)) return;
      line.reset();
    }
  }
}
