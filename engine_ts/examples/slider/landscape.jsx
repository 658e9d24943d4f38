import { draw } from "@gradient-service/engine";
import { connect } from "@gradient-service/engine/client";
import { useProgram } from "@gradient-service/engine/react";
import { useState } from "react";
import { createRoot } from "react-dom/client";

const client = connect("/");
const range = { from: -3, to: 3, count: 31 };
const ends = { type: "range", min: -3, max: 3, step: 0.1 };

/** A square per point: the higher the result, the darker. */
function Surface({ field: { x, results } }) {
  const known = results.filter(Number.isFinite);
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const square = (z, point) => {
    const [column, row] = [point % x.length, Math.floor(point / x.length)];
    const opacity = Number.isNaN(z) ? 0 : (z - low) / (high - low || 1);
    return <path key={point} d={`M${column} ${x.length - row}h1v-1h-1`} opacity={opacity} />;
  };
  return (
    <svg viewBox={`0 0 ${x.length} ${x.length}`} width="310" children={[...results].map(square)} />
  );
}

function Landscape() {
  const [text, setText] = useState("(1.5 * w + b - 2) ** 2");
  const [given, setGiven] = useState({ w: 1, b: 0.5 });
  const program = useProgram(text, given, { client, missing: 1 });
  const { variables, values, document, problem, suggestions, answeredBy } = program;
  const [x, y] = variables;
  const field = y && program.field(x, y, range);
  const move = ({ target }) => setGiven({ ...values, [target.name]: target.valueAsNumber });
  const slider = (name) => (
    <label key={name}>
      {name} <input {...ends} name={name} value={values[name]} onChange={move} />
      {document && `${values[name]}, gradient ${document.gradients[name]}`}
    </label>
  );
  return (
    <section>
      <input value={text} onChange={({ target }) => setText(target.value)} aria-label="program" />
      {problem && <p role="alert">{problem.message}</p>}
      {suggestions.map((meant) => (
        <button key={meant} onClick={() => setText(meant)} children={meant} />
      ))}
      {variables.slice(0, 2).map(slider)}
      {field && <Surface field={field} />}
      {document && <div dangerouslySetInnerHTML={{ __html: draw(document) }} />}
      <output>{answeredBy}</output>
    </section>
  );
}

createRoot(document.getElementById("landscape")).render(<Landscape />);
