// IAM gives policy documents back as percent-encoded text.

export function decodeDocument(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  try {
    return decodeURIComponent(value)
  } catch {
    // Not encoded after all: some endpoints give it as it was sent.
    return value
  }
}
