// Work that is usually done at once and sometimes has to wait (a webhook matched). Chaining it this way keeps the usual case free of
// promises: a create in process is one call stack.

export type Maybe<T> = T | Promise<T>

export function andThen<T, U>(value: Maybe<T>, continueWith: (value: T) => Maybe<U>): Maybe<U> {
  return value instanceof Promise ? value.then(continueWith) : continueWith(value)
}
