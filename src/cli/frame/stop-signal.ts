/** Aborted by the first signal to stop. A second one ends the process at once, with this code: somebody is in a hurry. */
export function stopBySignal(codeOfSecond = 130): AbortController {
  const stop = new AbortController()
  const onSignal = (): void => {
    if (stop.signal.aborted) process.exit(codeOfSecond)
    stop.abort(new Error('a signal to stop'))
  }
  // SIGHUP: the terminal was closed.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, onSignal)
  return stop
}
