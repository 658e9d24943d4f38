import { connect } from "@gradient-service/engine/client";
import { useProgram } from "@gradient-service/engine/react";
import { useState } from "react";
import { createRoot } from "react-dom/client";

const client = connect("/");

function Slider() {
  const [a, setA] = useState(2);
  const { document, problem, agrees } = useProgram("a * log(a)", { a }, { client });
  const slope = problem ? problem.message : `the slope is ${document.gradients.a}`;
  const move = ({ target }) => setA(target.valueAsNumber);
  return (
    <p>
      <input type="range" min="0" max="3" step="0.01" value={a} onChange={move} aria-label="a" />
      <output>{agrees ? `${slope}, as the service says` : slope}</output>
    </p>
  );
}

createRoot(document.getElementById("react")).render(<Slider />);
