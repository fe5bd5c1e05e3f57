// ACM as it is for thousands of certificates that are issued: every ARN is one, and its answer is made when it is asked for. So the memory
// that is measured is the operator's, and none of the cloud's.
import type { AwsClient, AwsClients } from '#aws/client'
import type { Clock } from '#base'

export const zone = { name: 'k8s.example.com', id: 'Z1' } as const
const dayMs = 86_400_000
/** As much is left to a certificate of 47 days in the middle of its life: all of them are near enough to be told one by one. */
const lifeMs = 47 * dayMs

export const arnOf = (index: number): string => `arn:aws:acm:eu-west-1:111122223333:certificate/${String(index)}`

export interface ReadyCloud {
  readonly clients: Pick<AwsClients, 'for'>
  /** When, and what. */
  readonly calls: { readonly atMs: number; readonly operation: string }[]
}

export function readyCloud(clock: Pick<Clock, 'monotonicMs'>, beganMs: number): ReadyCloud {
  const calls: { readonly atMs: number; readonly operation: string }[] = []
  const tags = new KeptTags()
  const send = (operation: string, input: Readonly<Record<string, unknown>> = {}): Promise<{ output: object }> => {
    calls.push({ atMs: clock.monotonicMs(), operation })
    return Promise.resolve({ output: tags.answer(operation, input) ?? answer(operation, input, beganMs) })
  }
  const client = { send } as unknown as AwsClient
  return { clients: { for: () => client }, calls }
}

interface Tag {
  readonly Key: string
  readonly Value: string
}

/** All that has to be kept: whose a certificate is, its tags say, and one without them is given them at every look. As text, which is small. */
class KeptTags {
  readonly #texts = new Map<number, string>()

  /** `undefined` for what has nothing to do with tags. */
  answer(operation: string, input: Readonly<Record<string, unknown>>): object | undefined {
    const index = indexOf(String(input['CertificateArn'] ?? input['DomainName']))
    if (operation === 'ListTagsForCertificate') return { Tags: this.#tagsOf(index) }
    if (operation !== 'AddTagsToCertificate' && operation !== 'RequestCertificate') return undefined
    const added = (input['Tags'] ?? []) as readonly Tag[]
    const others = this.#tagsOf(index).filter(({ Key }) => !added.some(tag => tag.Key === Key))
    this.#texts.set(index, JSON.stringify([...others, ...added]))
    return operation === 'AddTagsToCertificate' ? {} : undefined
  }

  #tagsOf(index: number): readonly Tag[] {
    return JSON.parse(this.#texts.get(index) ?? '[]') as readonly Tag[]
  }
}

function answer(operation: string, input: Readonly<Record<string, unknown>>, beganMs: number): object {
  switch (operation) {
    case 'RequestCertificate':
      return { CertificateArn: arnOf(indexOf(String(input['DomainName']))) }
    case 'DescribeCertificate':
      return { Certificate: certificateOf(indexOf(String(input['CertificateArn'])), beganMs) }
    case 'ListResourceRecordSets':
      return { ResourceRecordSets: [recordOf(indexOf(String(input['StartRecordName'])))] }
    case 'GetHostedZone':
      return { HostedZone: { Id: zone.id, Name: `${zone.name}.`, Config: { PrivateZone: false } } }
    default:
      throw new Error(`${operation} is no look at a certificate`)
  }
}

/** The number stands in every ARN and in every name. */
function indexOf(text: string): number {
  return Number(/(?:cert-|certificate\/)(\d+)/.exec(text)?.[1])
}

const nameOf = (index: number): string => `cert-${index}-prod.${zone.name}`

function recordOf(index: number): object {
  const { name, value } = heldRecordOf(index)
  return { Name: `${name}.`, Type: 'CNAME', TTL: 300, ResourceRecords: [{ Value: value }] }
}

/** As the status of a Cert has it. */
export function heldRecordOf(index: number): {
  readonly name: string
  readonly value: string
  readonly domains: readonly string[]
} {
  const [name, value] = [`_${index}.${nameOf(index)}`, `_${index}.acm-validations.aws.`]
  return { name, value, domains: [nameOf(index)] }
}

function certificateOf(index: number, beganMs: number): object {
  const name = nameOf(index)
  return {
    CertificateArn: arnOf(index),
    DomainName: name,
    SubjectAlternativeNames: [name],
    Status: 'ISSUED',
    Type: 'AMAZON_ISSUED',
    KeyAlgorithm: 'RSA_2048',
    Serial: `0a:${index}`,
    InUseBy: ['arn:aws:elasticloadbalancing:eu-west-1:111122223333:loadbalancer/app/web/1'],
    CreatedAt: new Date(beganMs - lifeMs / 2),
    IssuedAt: new Date(beganMs - lifeMs / 2),
    NotBefore: new Date(beganMs - lifeMs / 2),
    NotAfter: new Date(beganMs + lifeMs / 2),
    RenewalEligibility: 'ELIGIBLE',
    Options: { CertificateTransparencyLoggingPreference: 'ENABLED' },
    DomainValidationOptions: [
      {
        DomainName: name,
        ValidationStatus: 'SUCCESS',
        ResourceRecord: { Name: `_${index}.${name}.`, Type: 'CNAME', Value: `_${index}.acm-validations.aws.` },
      },
    ],
  }
}
