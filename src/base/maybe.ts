// Work that is usually done at once and sometimes has to wait. Chained this way the usual case costs no promise.

export type Maybe<T> = T | Promise<T>

export function andThen<T, U>(value: Maybe<T>, continueWith: (value: T) => Maybe<U>): Maybe<U> {
  return value instanceof Promise ? value.then(continueWith) : continueWith(value)
}

/** What comes of the work, now or later; `onError` is told of its failure, which goes on to the caller. */
export function settled<T, U>(work: () => Maybe<T>, onValue: (value: T) => U, onError: () => void): Maybe<U> {
  const failed = (error: unknown): never => {
    onError()
    throw error
  }
  let value: Maybe<T>
  try {
    value = work()
  } catch (error) {
    return failed(error)
  }
  return value instanceof Promise ? value.then(onValue, failed) : onValue(value)
}
