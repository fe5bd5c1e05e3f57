/** A stream that can be written to again, or has ended, tells it by one of these events. */
export interface Drains {
  on(event: 'drain' | 'close', listener: () => void): unknown
  off(event: 'drain' | 'close', listener: () => void): unknown
}

/** Resolves when the stream takes more, or takes nothing any more. */
export function drained(stream: Drains): Promise<void> {
  return new Promise(resolve => {
    const done = (): void => {
      stream.off('drain', done)
      stream.off('close', done)
      resolve()
    }
    stream.on('drain', done)
    stream.on('close', done)
  })
}
