// IAM gives policy documents back as percent-encoded text.

export function decodeDocument(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  try {
    return decodeURIComponent(value)
  } catch {
    // Some endpoints give the document as it was sent, without encoding it.
    return value
  }
}
