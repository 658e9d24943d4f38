/** What `client/react.ts` takes of React; who imports that has React and its own types. */
declare module "react" {
  type Cleanup = () => void;
  export function useLayoutEffect(run: () => Cleanup | void, deps?: readonly unknown[]): void;
  export function useRef<T>(first: T): { current: T };
  export function useState<T>(first: () => T): [T, (next: T) => void];
}
