// Chooses a service's protocol, and says how each refuses what it cannot read.
import type { ServiceModel } from '#aws'
import { assertNever } from '#base'
import { ServiceError } from '../error.ts'
import { type Family, familyOf, refusal } from './family.ts'
import { json11Protocol, restJsonProtocol } from './json-protocols.ts'
import { MalformedInput } from './malformed.ts'
import type { ServedProtocol } from './protocol.ts'
import { queryProtocol } from './query-protocol.ts'
import { restXmlProtocol } from './rest-xml-protocol.ts'
import type { MalformedXml } from './xml.ts'

export function protocolOf(model: ServiceModel): ServedProtocol {
  switch (model.protocol) {
    case 'query':
      return queryProtocol(model)
    case 'rest-xml':
      return restXmlProtocol(model, familyOf(model) as 's3' | 'route53')
    case 'rest-json':
      return restJsonProtocol(model)
    case 'json-1.0':
    case 'json-1.1':
      return json11Protocol(model)
    case 'ec2':
    case 'cbor':
      throw new Error(`the emulator serves no service of protocol ${model.protocol}`)
    default:
      return assertNever(model.protocol)
  }
}

/** What the client is told when its body cannot be read. */
export function malformedError(family: Family, error: MalformedInput | MalformedXml): ServiceError {
  switch (family) {
    case 'query':
      return new ServiceError('MalformedInput', 400, error.message)
    case 's3':
      if (error instanceof MalformedInput && error.path !== '') return refusal('s3', 'invalid', `${error.path}: ${error.message}`)
      return new ServiceError(
        'MalformedXML',
        400,
        'The XML you provided was not well-formed or did not validate against our published schema',
      )
    case 'route53':
      return new ServiceError('InvalidInput', 400, `Invalid XML ; ${error.message}`)
    case 'json':
    case 'rest-json':
      return new ServiceError('SerializationException', 400, error.message)
    default:
      return assertNever(family)
  }
}
