// Certificate requests: what is asked for is a certificate, of a signer that has a name, for uses that exist.
import { dnsLabelErrors, dnsSubdomainErrors } from '#kube'
import { fieldError } from '../../field-error.ts'
import type { Json, JsonObject } from '../../json.ts'
import type { ValidationContext } from '../../kind-schema.ts'
import { type Errors, listOf, objectOf, oneOf, repeats, say, text } from './checks.ts'

const usages: readonly string[] = (
  'any,cert sign,client auth,code signing,content commitment,crl sign,data encipherment,decipher only,digital signature,email protection,' +
  'encipher only,ipsec end system,ipsec tunnel,ipsec user,key agreement,key encipherment,microsoft sgc,netscape sgc,ocsp signing,s/mime,' +
  'server auth,signing,timestamping'
).split(',')

/** A signer that is asked for less could not keep up. */
const secondsMin = 600

/** What was asked stays as it is, so that a change needs no second look. */
export function validateSigningRequest(object: JsonObject, { old }: ValidationContext): Errors {
  if (old !== undefined) return []
  const errors: Errors = []
  const spec = objectOf(object.spec)
  const problem = problemOfRequest(text(spec.request))
  if (problem !== undefined) errors.push(fieldError.invalid('spec.request', spec.request, problem))
  checkUsages(spec.usages, errors)
  checkSigner(text(spec.signerName), errors)
  const seconds = spec.expirationSeconds
  if (typeof seconds === 'number' && seconds < secondsMin)
    errors.push(
      fieldError.invalid('spec.expirationSeconds', seconds, 'may not specify a duration less than 600 seconds (10 minutes)'),
    )
  return errors
}

function checkUsages(value: Json | undefined, errors: Errors): void {
  const given = listOf(value)
  if (given.length === 0) errors.push(fieldError.required('spec.usages'))
  given.forEach((usage, index) => oneOf(usage, `spec.usages[${index}]`, usages, errors))
  const isRepeat = repeats()
  given.forEach((usage, index) => {
    if (isRepeat(usage)) errors.push(fieldError.duplicate(`spec.usages[${index}]`, usage))
  })
}

const domainMax = 253
const pathMax = 571

/** Some signer's own domain, and a name of its own choice there. */
function checkSigner(name: string, errors: Errors): void {
  const [domain = '', path, ...more] = name.split('/')
  if (name === '') errors.push(fieldError.required('spec.signerName'))
  else if (path === undefined || more.length > 0) {
    const why = "must be a fully qualified domain and path of the form 'example.com/signer-name'"
    errors.push(fieldError.invalid('spec.signerName', name, why))
  } else {
    checkParts(domain, domainMax, dnsLabelErrors, errors)
    if (!domain.includes('.')) {
      const why = 'should be a domain with at least two segments separated by dots'
      errors.push(fieldError.invalid('spec.signerName', domain, why))
    }
    checkParts(path, pathMax, dnsSubdomainErrors, errors)
  }
  if (name === 'kubernetes.io/legacy-unknown')
    errors.push(fieldError.invalid('spec.signerName', name, 'the legacy signerName is not allowed via this API version'))
}

/** Of the first part that is no name it is told what is wrong with it. */
function checkParts(text: string, max: number, problems: (part: string) => readonly string[], errors: Errors): void {
  if (text.length > max) errors.push(fieldError.tooLong('spec.signerName', max))
  const bad = text.split('.').find(part => problems(part).length > 0)
  if (bad === undefined) return
  const whys = problems(bad).map(why => `validating label ${JSON.stringify(bad)}: ${why}`)
  say(errors, 'spec.signerName', text, whys)
}

/** Of the request itself only its frame is looked at: one block of the right name, which holds one structure and all of it. */
function problemOfRequest(encoded: string): string | undefined {
  const pem = Buffer.from(encoded, 'base64').toString('latin1')
  const block = /-----BEGIN CERTIFICATE REQUEST-----\r?\n([A-Za-z0-9+/=\s]*)-----END CERTIFICATE REQUEST-----/.exec(pem)
  if (block === null) return 'PEM block type must be CERTIFICATE REQUEST'
  const der = Buffer.from(block[1] ?? '', 'base64')
  const [tag, length = 0] = der
  if (tag === undefined) return 'asn1: syntax error: sequence truncated'
  if (tag !== sequenceTag) return "asn1: structure error: tags don't match"
  const lengthBytes = length < 0x80 ? 0 : length & 0x7f
  if (lengthBytes > 4 || der.length < 2 + lengthBytes) return 'asn1: syntax error: data truncated'
  const size = lengthBytes === 0 ? length : der.readUIntBE(2, lengthBytes)
  return der.length < 2 + lengthBytes + size ? 'asn1: syntax error: data truncated' : undefined
}

const sequenceTag = 0x30
