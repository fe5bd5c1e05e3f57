// Work that is usually done at once and sometimes has to wait. Chained this way the usual case costs no promise.

export type Maybe<T> = T | Promise<T>

export function andThen<T, U>(value: Maybe<T>, continueWith: (value: T) => Maybe<U>): Maybe<U> {
  return value instanceof Promise ? value.then(continueWith) : continueWith(value)
}
