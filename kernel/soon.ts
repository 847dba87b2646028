/**
 * Makes a call that does `work` once at the end of the present turn of the event loop, however often it is called
 * until then: what arrives in the same turn is worked on together, and nobody waits for a timer.
 */
export function atTurnsEnd(work: () => void): () => void {
  let scheduled = false;
  return () => {
    if (scheduled) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      work();
    });
  };
}
