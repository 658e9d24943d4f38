/**
 * Where the page is. In a frame that was given as text it has no address that could hold a program:
 * the frame's name does.
 */

declare const SINGLE_FILE: boolean;

export const place: Location | URL =
  SINGLE_FILE && location.protocol === "about:" ? new URL(`about:srcdoc${name}`) : location;
