/** Aborted by the first signal to stop. A second one ends the process at once: somebody is in a hurry. */
export function stopBySignal(): AbortController {
  const stop = new AbortController()
  const onSignal = (): void => {
    if (stop.signal.aborted) process.exit(1)
    stop.abort(new Error('a signal to stop'))
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
  return stop
}
