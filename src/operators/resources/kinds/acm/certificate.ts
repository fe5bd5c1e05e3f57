// ACM certificates: requested, or imported from a Secret; always validated by DNS; tags have operations of their own.
import { given } from '#base'
import { annotations, ownerTag, type Resource } from '../../api.ts'
import { own, textOf, toWire } from '../../model/convert.ts'
import { inputOf, type KindModel } from '../../model/kind-model.ts'
import type { Content, Values } from '../../model/request.ts'
import { tagChanges, tagsIn, withTags } from '../../model/tags.ts'
import { readByModel } from '../../observe/read-aws.ts'
import { parseIntent } from '../../ownership/intent-text.ts'
import { recordOf, structuresOf, tagList, tagsFromList, textsOf, update } from '../calls.ts'
import type { CreateContext, Deviation, PlannedCall, ReadContext, SyncContext } from '../deviation.ts'
import { acmExport } from './export.ts'
import { validationRecords } from './validation.ts'

const validationOptionsMax = 5
/** Fields of a request that mean nothing for an import. */
const requestFields = [
  'domainName',
  'subjectAlternativeNames',
  'certificateAuthorityARN',
  'keyAlgorithm',
  'domainValidationOptions',
  'exportTo',
]

export const acmCertificate: Deviation = {
  refuse: ({ wanted, claim }) => refusal(wanted, isImport(claim)),
  read: async context => {
    const arn = context.wanted.arn ?? (await findByMark(context))
    const found = await readByModel({ ...context, wanted: { ...context.wanted, arn } })
    if (found === undefined) return undefined
    const CertificateArn = found.arn ?? arn ?? found.spec['certificateARN']
    const { Tags } = await context.caller.call('ListTagsForCertificate', { CertificateArn })
    const { keyAlgorithm, ...rest } = found.spec
    const spec = keyAlgorithm === undefined ? rest : { ...rest, keyAlgorithm: textOf(keyAlgorithm).replaceAll('-', '_') }
    return { ...found, arn: textOf(CertificateArn), spec: withTags(context.model, spec, tagsFromList(Tags)) }
  },
  findsByList: ({ arn }) => arn === undefined,
  create: createCertificate,
  created: (output, found) => ({ ...found, arn: textOf(output['CertificateArn']) }),
  same: {
    // A manifest that names no domain names accepts those that the certificate has.
    SubjectAlternativeNames: (wanted, latest) => wanted === undefined || sameNames(textsOf(wanted), textsOf(latest)),
    DomainName: (wanted, latest) => wanted === undefined || wanted === latest,
    // Only the options that the manifest names are compared.
    Options: (wanted, latest) => Object.entries(recordOf(wanted)).every(([name, value]) => value === own(recordOf(latest), name)),
    CertificateARN: () => true,
    CertificateAuthorityARN: (wanted, latest) => (wanted ?? latest) === latest,
  },
  own: ['Tags', 'Certificate', 'CertificateChain', 'PrivateKey'],
  output: acmExport,
  companions: validationRecords,
  unchangeable: ['DomainName', 'SubjectAlternativeNames'],
  // An import says nothing of a request: what ACM read out of the certificate is not the manifest's to say.
  late: claim => (isImport(claim) ? [] : ['DomainValidationOptions', 'SubjectAlternativeNames']),
  neverLate: isImport,
  unchangeableOf: claim => (isImport(claim) || claim.status?.['type_'] === 'IMPORTED' ? ['Options'] : []),
  sync: syncCertificate,
  state: certificateState,
}

/** The certificate that our own request made, when its answer was lost: known by the mark that it bore from the start. */
async function findByMark({ claim, wanted, caller }: ReadContext): Promise<string | undefined> {
  if (parseIntent(claim.metadata.annotations?.[annotations.createIntent]) === undefined) return undefined
  const domain = wanted.spec['domainName']
  // Without this ACM tells of certificates with RSA keys only.
  for await (const page of caller.pages('ListCertificates', { Includes: { keyTypes: keyAlgorithms } })) {
    for (const { CertificateArn, DomainName } of structuresOf(page['CertificateSummaryList'])) {
      if (domain !== undefined && DomainName !== domain) continue
      const { Tags } = await caller.call('ListTagsForCertificate', { CertificateArn })
      if (tagsFromList(Tags)[ownerTag] === claim.metadata.uid) return textOf(CertificateArn)
    }
  }
  return undefined
}

const keyAlgorithms = ['RSA_1024', 'RSA_2048', 'RSA_3072', 'RSA_4096', 'EC_prime256v1', 'EC_secp384r1', 'EC_secp521r1']

function isImport({ spec }: Resource): boolean {
  return spec?.['certificate'] !== undefined
}

function refusal({ spec }: Content, isImport: boolean): string | undefined {
  if (isImport) {
    if (spec['privateKey'] === undefined) return 'an imported certificate needs privateKey'
    const mixed = requestFields.filter(name => spec[name] !== undefined && name !== 'keyAlgorithm')
    return mixed.length > 0 ? `certificate is imported: ${mixed.join(', ')} belong to a request` : undefined
  }
  if (spec['domainName'] === undefined) return 'required field missing: domainName'
  const options = structuresOf(spec['domainValidationOptions']).length
  return spec['certificateAuthorityARN'] === undefined && options > validationOptionsMax
    ? `a public certificate takes at most ${validationOptionsMax} domainValidationOptions`
    : undefined
}

function createCertificate(input: Values, { wanted, claim, model, token }: CreateContext): PlannedCall | Values {
  if (isImport(claim)) return importCall(wanted, model)
  // A public certificate is exportable when it is requested so, or never.
  const isPublic = wanted.spec['certificateAuthorityARN'] === undefined
  const exports = claim.spec?.['exportTo'] !== undefined && isPublic
  const Options = exports ? { Options: { ...recordOf(input['Options']), Export: 'ENABLED' } } : {}
  // ACM takes word characters only.
  return { ...input, ...Options, ValidationMethod: 'DNS', IdempotencyToken: token.replaceAll('-', '').slice(0, 32) }
}

function importCall({ spec }: Content, model: KindModel): PlannedCall {
  const { members } = inputOf(model.service.model, 'ImportCertificate')
  const part = (member: string, json: string): Values => {
    const target = members[member]
    const value = spec[json]
    if (target === undefined || value === undefined) return {}
    return { [member]: toWire(value, { service: model.service, type: { kind: 'secret' }, member: target, path: json }) }
  }
  const tags = tagList(tagsIn(model, spec))
  const input = {
    ...part('Certificate', 'certificate'),
    ...part('CertificateChain', 'certificateChain'),
    ...part('PrivateKey', 'privateKey'),
    ...given({ CertificateArn: spec['certificateARN'] }),
    ...(tags.length === 0 ? {} : { Tags: tags }),
  }
  return { operation: 'ImportCertificate', input, verb: 'CREATE' }
}

function syncCertificate({ model, wanted, latest, isNew, delta }: SyncContext): readonly PlannedCall[] {
  if (isNew) return []
  const tags = tagChanges(tagsIn(model, wanted.spec), tagsIn(model, latest.spec))
  const CertificateArn = latest.arn
  const removed = tags.removed.map(Key => ({ Key }))
  // A new certificate in the Secret takes the place of the old one under the same ARN.
  const isRenewed = ['Spec.Certificate', 'Spec.CertificateChain', 'Spec.PrivateKey'].some(path => delta.includes(path))
  const imported = isRenewed ? [renewal(wanted, latest, model)] : []
  return [
    ...imported,
    ...(removed.length > 0 ? [update('RemoveTagsFromCertificate', { CertificateArn, Tags: removed })] : []),
    ...(Object.keys(tags.set).length > 0 ? [update('AddTagsToCertificate', { CertificateArn, Tags: tagList(tags.set) })] : []),
  ]
}

function renewal(wanted: Content, latest: Content, model: KindModel): PlannedCall {
  const { Tags: _tags, ...input } = importCall(wanted, model).input
  return update('ImportCertificate', { ...input, CertificateArn: latest.arn })
}

/** In step as soon as it is as asked for; strictly, only once it can be used. */
function certificateState(
  { status }: Content,
  { strictSync }: { readonly strictSync: boolean },
): ReturnType<NonNullable<Deviation['state']>> {
  const said = status['status']
  if (!strictSync) return undefined
  if (said === 'ISSUED' || said === 'INACTIVE') return { synced: true, message: '' }
  if (said === 'PENDING_VALIDATION') return { synced: false, message: 'the certificate waits for its validation' }
  const why = status['failureReason'] === undefined ? '' : `: ${textOf(status['failureReason'])}`
  return { synced: false, terminal: true, message: `the certificate is ${textOf(said ?? 'in no known state')}${why}` }
}

/** Names of certificates have no order and no case. */
function sameNames(wanted: readonly string[], latest: readonly string[]): boolean {
  const set = (names: readonly string[]): string => [...new Set(names.map(name => name.toLowerCase()))].sort().join(' ')
  // ACM lists the domain name itself among them, whether it was named there or not.
  return set(wanted) === set(latest) || set([...wanted, ...latest.slice(0, 1)]) === set(latest)
}
