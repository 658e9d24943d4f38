/**
 * The sandbox as an element of a page, which importing this module defines:
 *
 *     <gradient-sandbox expression="a * b" values="a:2,b:3"></gradient-sandbox>
 *
 * It is a frame: of the page in one file beside this module, or of a sandbox that somebody serves,
 * whose address is `src`. `parameters` are names, as in "w,b", and `show` names the parts besides
 * the graph, of "title,expression,panel,more". At each change, also of a slider, it sends the event
 * `change`, whose `detail` is a `SandboxDetail`.
 */

/** What is shown, as the page tells it. */
export interface SandboxDetail {
  readonly address: string;
  readonly expression: string;
  readonly values: Readonly<Record<string, number>>;
  readonly parameters: readonly string[];
  readonly result: number;
  readonly gradients: Readonly<Record<string, number>>;
  readonly error: string | null;
  readonly way: "forward" | "sort" | "backward";
  readonly step: number;
  readonly steps: number;
  /** What the address asks, and what was answered; null where it asks nothing. */
  readonly task: {
    readonly lesson: string;
    readonly task: string;
    readonly reply: string;
    readonly isRight: boolean | null;
  } | null;
  /** The lessons' tasks that are done. */
  readonly tasks: readonly string[];
  /** What each gradient was guessed to be, by name: "open", "right", "wrong" and so on. */
  readonly guesses: Readonly<Record<string, string>>;
}

const PAGE = new URL("../sandbox.html", import.meta.url).href;
const STYLE = `
  :host { display: block; height: 40rem; }
  iframe { width: 100%; height: 100%; border: 0; }
`;
const PARTS = { e: "expression", v: "values", p: "parameters" };

export class GradientSandbox extends HTMLElement {
  static readonly observedAttributes = ["src", "show", ...Object.values(PARTS)];

  readonly #frame = document.createElement("iframe");

  constructor() {
    super();
    this.#frame.title = "Gradient sandbox";
    this.#frame.allow = "clipboard-write; fullscreen";
    const style = new CSSStyleSheet();
    style.replaceSync(STYLE);
    const root = this.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [style];
    root.append(this.#frame);
  }

  connectedCallback(): void {
    addEventListener("message", this.#hear);
    this.attributeChangedCallback();
  }

  disconnectedCallback(): void {
    removeEventListener("message", this.#hear);
  }

  /** Where only the program is another one, the page stays and follows its address. */
  attributeChangedCallback(): void {
    if (!this.isConnected) return;
    if (this.#frame.src === "") this.#frame.src = this.#address();
    // This leaves nothing to go back to; a new `src` would.
    else this.#frame.contentWindow?.location.replace(this.#address());
  }

  #address(): string {
    const address = new URL(this.getAttribute("src") ?? PAGE, document.baseURI);
    address.searchParams.set("embed", "");
    address.searchParams.set("show", this.getAttribute("show") ?? "expression,panel");
    address.hash = Object.entries(PARTS)
      .map(([part, name]) => [part, this.getAttribute(name)] as const)
      .filter(([, text]) => text !== null)
      .map(([part, text]) => `${part}=${encodeURIComponent(text!.replaceAll(/\s*,\s*/g, ","))}`)
      .join("&");
    return address.href;
  }

  readonly #hear = ({ source, data }: MessageEvent): void => {
    if (source !== this.#frame.contentWindow || data?.type !== "gradient-sandbox") return;
    this.dispatchEvent(new CustomEvent<SandboxDetail>("change", { detail: data }));
  };
}

customElements.define("gradient-sandbox", GradientSandbox);
