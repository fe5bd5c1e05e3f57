// What the published models of single services leave unsaid in one of the formats, and every client knows.

const unsigned: Readonly<Record<string, readonly string[]>> = {
  STS: ['AssumeRoleWithSAML', 'AssumeRoleWithWebIdentity'],
}

/** Operations that work without credentials though the Smithy model has no trait for it. */
export function isUnsignedByRule(serviceId: string, operation: string): boolean {
  return (Object.hasOwn(unsigned, serviceId) ? unsigned[serviceId] : undefined)?.includes(operation) ?? false
}

/** C2J has no flag for errors without a wrapping element. */
export function hasBareErrors(serviceId: string): boolean {
  return serviceId === 'S3'
}

/** C2J has no flag for a result that is its root element's text. */
export function hasUnwrappedOutput(serviceId: string, operation: string): boolean {
  return serviceId === 'S3' && operation === 'GetBucketLocation'
}
