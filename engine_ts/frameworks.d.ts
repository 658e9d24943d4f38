/** The parts of frameworks that `client` uses; a project with a framework has its own types. */
declare module "react" {
  export function useLayoutEffect(run: () => void): void;
  export function useState<T>(first: () => T): [T, (next: T) => void];
  export function useSyncExternalStore<T>(
    subscribe: (callback: () => void) => () => void,
    get: () => T,
    getOnServer: () => T,
  ): T;
}
declare module "vue" {
  export interface ShallowRef<T> {
    value: T;
  }
  export type MaybeRefOrGetter<T> = T | { readonly value: T } | (() => T);
  export function shallowRef<T>(first: T): ShallowRef<T>;
  export function toValue<T>(source: MaybeRefOrGetter<T>): T;
  export function watchEffect(run: () => void): void;
  export function onMounted(run: () => void): void;
  export function onUnmounted(run: () => void): void;
}
