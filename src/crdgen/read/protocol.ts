import type { Operation, Protocol } from '#aws'
import { arrayAt, compact, type JsonRecord, optionalTextAt } from './json.ts'
import { ModelError } from './model-error.ts'

/** Which protocol to speak with a service that offers several: the order of preference, first found wins. */
const preference: readonly Protocol[] = ['json-1.1', 'json-1.0', 'rest-json', 'rest-xml', 'query', 'ec2', 'cbor']

/** The wanted protocol, or the most preferred of those offered. `names` are what the model wrote, for the error. */
export function chooseProtocol(
  offered: readonly Protocol[],
  wanted: Protocol | undefined,
  { file, names }: { readonly file: string; readonly names: readonly string[] },
): Protocol {
  const candidates = wanted === undefined ? preference : [wanted]
  const chosen = candidates.find(protocol => offered.includes(protocol))
  if (chosen !== undefined) return chosen
  const list = names.length === 0 ? 'none' : names.join(', ')
  throw new ModelError('unsupported-protocol', `${file}: the service offers ${list}; supported is ${candidates.join(', ')}`)
}

/** True for protocols whose requests are bound to method, path, query and headers by the model. */
export function hasHttpBindings(protocol: Protocol): boolean {
  return protocol === 'rest-xml' || protocol === 'rest-json'
}

/** True where the request names the service: JSON carries the name in a header, CBOR in the path. */
export function usesTarget(protocol: Protocol): boolean {
  return protocol === 'json-1.0' || protocol === 'json-1.1' || protocol === 'cbor'
}

/** The flexible checksum trait; both formats write the same keys. */
export function checksumOf(checksum: JsonRecord, where: string): Operation['checksum'] {
  const responseAlgorithms = arrayAt(checksum, 'responseAlgorithms', where).map(String)
  const found = compact({
    algorithmMember: optionalTextAt(checksum, 'requestAlgorithmMember', where),
    validationMember: optionalTextAt(checksum, 'requestValidationModeMember', where),
    responseAlgorithms: responseAlgorithms.length === 0 ? undefined : responseAlgorithms,
  })
  return Object.keys(found).length === 0 ? undefined : (found as Operation['checksum'])
}
