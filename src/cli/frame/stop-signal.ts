/** Aborted by the first signal to stop. A second one ends the process at once: somebody is in a hurry. */
export function stopBySignal(): AbortController {
  const stop = new AbortController()
  const onSignal = (): void => {
    if (stop.signal.aborted) process.exit(130)
    stop.abort(new Error('a signal to stop'))
  }
  // SIGHUP: the terminal was closed.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, onSignal)
  return stop
}
