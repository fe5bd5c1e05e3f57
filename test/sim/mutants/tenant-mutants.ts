// Defects of the checks that keep tenants apart: what an object may have read and written for its author, and whose a resource is. The attacks
// of the room must notice, or the hostile tenant of the simulator, where nothing else stands behind the broken check.
import type { Mutant, MutantRow } from './mutants.ts'

const room = 'src/operators/resources'
const attacks = 'test/resources/export-attacks.test.ts'
const stealing = 'test/resources/secret-attacks.test.ts'
const late = 'src/operators/resources/ownership/late-marks.test.ts'
const common = 'test/resources/common.test.ts'
const adopting = 'src/operators/resources/adopted/adopted-resource.test.ts'
const eksAcm = 'src/operators/resources/kinds/eks-acm.test.ts'
const scenarios = 'src/operators/resources/life/scenarios.test.ts'

const rows: readonly MutantRow<[tests: readonly string[]]>[] = [
  [
    'export-crosses-namespaces',
    'exports/target.ts',
    'if (key.namespace !== from && !crossNamespace)',
    'if (key.namespace !== from && crossNamespace === undefined)',
    'an export leaves its namespace although nobody allowed it',
    [attacks, common],
  ],
  [
    'export-without-consent',
    'exports/target.ts',
    'if (key.namespace !== from && !accepts(target, from))',
    "if (key.namespace !== from && from === '')",
    'a target in another namespace is written although it accepts nothing',
    [attacks],
  ],
  [
    'export-accepted-for-anybody',
    'exports/target.ts',
    'each.trim() === namespace',
    "each.trim() !== ''",
    'a target that accepts one namespace accepts all',
    [attacks],
  ],
  [
    'export-to-any-secret',
    'exports/target.ts',
    "if (kind === 'Secret' && !isNamed(secrets, key))",
    "if (kind === 'Secret' && secrets === undefined)",
    'a Secret is written that the settings do not name',
    [attacks],
  ],
  [
    'export-over-own-labels',
    'exports/target.ts',
    'if (carriesOwnLabels(target))',
    "if (carriesOwnLabels(target) && from === '')",
    'what an operator made is written by an export',
    [attacks],
  ],
  [
    'export-over-controlled',
    'exports/target.ts',
    'if (controller !== undefined)',
    "if (controller !== undefined && from === '')",
    'what a controller keeps is written by an export',
    [attacks],
  ],
  [
    'export-over-mappings',
    'exports/target.ts',
    'if (holdsMappings(target))',
    "if (holdsMappings(target) && from === '')",
    'role mappings are written by an export',
    [attacks],
  ],
  [
    'export-to-any-type',
    'exports/target.ts',
    "return kind === 'ConfigMap' || secretTypes.includes(type)",
    "return kind === 'ConfigMap' || secretTypes.length > 0",
    'a token of a ServiceAccount is written by an export',
    [attacks],
  ],
  [
    'export-to-reserved-name',
    'exports/target.ts',
    'if (reserved !== undefined) return',
    "if (reserved !== undefined && from === '') return",
    'a mapping that is not there yet is made by an export',
    [attacks],
  ],
  [
    'mappings-have-no-name',
    'protected-objects.ts',
    'mappingNames.includes(name)',
    "mappingNames.includes(name) && name === ''",
    'the ConfigMaps of mappings are as any other',
    [attacks],
  ],
  [
    'signing-keys-have-no-name',
    'protected-objects.ts',
    'name.startsWith(signingKeyPrefix)',
    'name === signingKeyPrefix',
    'a signing key is a Secret as any other',
    [attacks],
  ],
  [
    'own-domain-unknown',
    'protected-objects.ts',
    'domain === each || domain.endsWith(`.${each}`)',
    'domain.endsWith(`.${each}`)',
    'our own labels are not known',
    [attacks],
  ],
  [
    'own-values-unknown',
    'protected-objects.ts',
    'ownValues[name]?.includes(value) === true',
    "ownValues[name]?.includes(value) === true && name === ''",
    'what says that we manage it is not known',
    [attacks],
  ],
  [
    'mapping-by-roles-unknown',
    'protected-objects.ts',
    "key === 'mapRoles' || key === 'mapAccounts'",
    "key === 'mapAccounts'",
    'a mapping of the authenticator is not known by what it holds',
    [attacks],
  ],
  [
    'mapping-by-account-unknown',
    'protected-objects.ts',
    "(isAccountId(account) && tryParseArn(value)?.service === 'iam')",
    "(isAccountId(account) && tryParseArn(value)?.service === 'nobody')",
    'a mapping of accounts is not known by what it holds',
    [attacks],
  ],
  [
    'operators-secret-read',
    'secret-access.ts',
    'if (isOperators) return',
    "if (isOperators && key.name === '') return",
    'what an operator keeps in a Secret is read for a tenant',
    [stealing],
  ],
  [
    'any-secret-read',
    'secret-access.ts',
    'if (!isNamed(access.secrets, key)) return unlistedMessage(key)',
    '',
    'a Secret is read that the settings do not name',
    [stealing],
  ],
  [
    'secret-of-others-read',
    'secrets.ts',
    'if (where !== home && !reads.crossNamespace)',
    'if (where !== home && reads.crossNamespace === undefined)',
    'a Secret of another namespace is read',
    [stealing],
  ],
  [
    'secret-read-unseen',
    'secrets.ts',
    '  if (refused !== undefined) throw new Unusable(refused)\n',
    '',
    'what a Secret says of itself is not looked at',
    [stealing],
  ],
  [
    'reference-to-others',
    'references.ts',
    '    if (!reads.crossNamespace)\n',
    '    if (reads.crossNamespace === undefined)\n',
    'a reference leads into another namespace',
    [scenarios],
  ],
  [
    'output-unread-unchecked',
    'output.ts',
    "  if (unread !== undefined) return { kind: 'unusable', message: unread.message }\n",
    '',
    'an exported certificate goes where nobody allowed it',
    [eksAcm],
  ],
  [
    'output-unchecked',
    'output.ts',
    "  if (refused !== undefined) return { kind: 'unusable', message: refused.message }\n",
    '',
    'an exported certificate goes into what an operator made',
    [stealing],
  ],
  [
    'sources-unchecked',
    'exports/field-export.ts',
    ' ?? refusedSources(claim, seen)',
    '',
    'an export takes from any Secret beside it',
    [stealing],
  ],
  [
    'adopted-resource-leaves-its-namespace',
    'adopted/adopted-resource.ts',
    'if (at.namespace !== namespace)',
    "if (at.namespace === '')",
    'an AdoptedResource has objects made in other namespaces',
    [adopting],
  ],
  [
    'adopted-resource-done-twice',
    'adopted/adopted-resource.ts',
    'if (before !== undefined) return done(before)',
    "if (before === '') return done(before)",
    'an object that was adopted and deleted is made again',
    [adopting],
  ],
  [
    'late-proof-is-no-proof',
    'decide-present.ts',
    "if (owner.kind === 'unknown' && isMaybeOurs(situation))",
    "if (owner.kind === 'unknown' && isMaybeOurs(situation) && situation.now === 0)",
    "what was made a moment ago, and is seen by halves, is a stranger's for good",
    [late],
  ],
]

/** What is behind no second check is hunted by the simulator. */
const hunted: readonly Mutant[] = [
  {
    id: 'tenant-says-adopted',
    file: `${room}/ownership.ts`,
    find: '  const mark = tags[ownerTag]\n',
    replace: "  const mark = tags[ownerTag]\n  if (isAnnotatedTrue(claim, annotations.adopted)) return { kind: 'ours' }\n",
    why: 'whatever says that it was adopted is ours',
    controllers: ['tenant-resources'],
    faults: ['F27'],
  },
  {
    id: 'tenant-brings-finalizer',
    file: `${room}/ownership.ts`,
    find: '  const mark = tags[ownerTag]\n',
    replace:
      "  const mark = tags[ownerTag]\n  if (claim.metadata.finalizers?.includes(model.finalizer) === true) return { kind: 'ours' }\n",
    why: 'whatever comes with our finalizer is ours',
    controllers: ['tenant-resources'],
    faults: ['F27'],
  },
  {
    id: 'tenant-of-identity',
    file: `${room}/ownership.ts`,
    find: '  const mark = tags[ownerTag]\n',
    replace: "  const mark = tags[ownerTag]\n  if (isAnnotatedTrue(claim, annotations.adopted)) return { kind: 'ours' }\n",
    why: "what identity wrote down is a tenant's who says that he adopted it",
    controllers: ['tenant-children'],
    faults: ['F27'],
  },
  {
    id: 'tenant-pod-says-where',
    file: 'src/operators/pods/review.ts',
    find: "decide({ namespace: textOf(request['namespace']), object",
    replace:
      "decide({ namespace: textOf((object as { metadata?: { namespace?: string } }).metadata?.namespace ?? request['namespace']), object",
    why: 'a pod is believed where it says that it is',
    controllers: ['tenant-pods'],
    faults: ['F27'],
  },
]

export const tenantMutants: readonly Mutant[] = [
  ...rows.map(([id, file, find, replace, why, tests]) => ({ id, file: `${room}/${file}`, find, replace, why, tests })),
  ...hunted,
]
