// Defects of the hosted operator. Those of what happens meanwhile are hunted by the simulator, those of forms and decisions by the room's tests.
import type { Mutant, MutantRow } from './mutants.ts'

const room = 'src/operators/hosted'
const life = `${room}/life.test.ts`
const badInput = `${room}/bad-input.test.ts`
const renewal = `${room}/renewal.test.ts`
const recorded = `${room}/build/recorded.test.ts`
const statements = `${room}/statements.test.ts`

const rows: readonly MutantRow<[tests: readonly string[]]>[] = [
  [
    'image-guessed',
    'control-plane/decide.ts',
    "return settings.choices.missingImage === 'label' ? name : undefined",
    'return name',
    'a label is written as an image',
    [badInput],
  ],
  [
    'pause-ignored',
    'control-plane/decide.ts',
    "if (pause.kind === 'paused') return",
    "if (pause.kind === 'paused' && now === 0) return",
    'what the platform paused is changed',
    [badInput],
  ],
  [
    'signs-where-nobody-may',
    'control-plane/decide.ts',
    "plane.metadata.annotations?.[signingDisabledAnnotation] === 'true'",
    "plane.metadata.annotations?.[signingDisabledAnnotation] === 'yes'",
    'a platform that signs elsewhere gets certificates of ours',
    [renewal],
  ],
  [
    'quarrels',
    'control-plane/decide.ts',
    'if (held !== undefined) return { actions: [], condition',
    'if (held !== undefined && held < 0) return { actions: [], condition',
    'somebody who undoes it each time is fought',
    [badInput],
  ],
  [
    'block-not-asked-for',
    'build/platform.ts',
    'if (azure === undefined) return missingAzure\n',
    "if (azure === undefined) return { kind: 'none' }\n",
    'a control plane without its block is passed over in silence',
    [life],
  ],
  [
    'service-port',
    'build/platform.ts',
    ' || given === portOfServices ?',
    ' ?',
    'the port of services is taken for that of the pod',
    [life],
  ],
  [
    'fills-in-nothing',
    'build/deployment.ts',
    'isSameButFilledIn(next, item, filledIn) ? item : next',
    'next',
    'the Deployment is written at each look',
    [life],
  ],
  [
    'others-out-of-place',
    'build/deployment.ts',
    'if (!ours.has(item.name)) return [item]',
    "if (!ours.has(item.name)) return item.name.endsWith('logs') ? [] : [item]",
    'a container of the platform is lost',
    [life, badInput],
  ],
  [
    'scratch-everywhere',
    'build/placed-sidecar.ts',
    '...(hasScratch ? [{',
    '...(hasScratch || true ? [{',
    'a volume is mounted that is not there',
    [`${room}/build/placed-sidecar.test.ts`],
  ],
  [
    'upstream-order-of-flags',
    'build/sidecar.ts',
    "    ...given('--tls-cipher-suites', cipherSuites),\n    ...given('--tls-min-version', minVersion),\n    ...(ports",
    "    ...given('--tls-min-version', minVersion),\n    ...given('--tls-cipher-suites', cipherSuites),\n    ...(ports",
    'the flags stand in another order than the platform’s',
    [recorded],
  ],
  [
    'renewed-too-late',
    'build/pair.ts',
    'export const renewMs: number = 30 * dayMs',
    'export const renewMs: number = 20 * dayMs',
    'a certificate is renewed ten days late',
    [renewal],
  ],
  [
    'trust-at-once',
    'guest/trust.ts',
    'if (settlesInMs <= 0) return { authorities: root }',
    'if (settlesInMs <= overlapMs + backdatedMs) return { authorities: root }',
    'pods of the minutes after a rotation go without identity',
    [renewal],
  ],
  [
    'trust-for-ever',
    'guest/trust.ts',
    'if (settlesInMs <= 0) return { authorities: root }',
    '',
    'an authority that was given up is trusted for good',
    [renewal],
  ],
  [
    'programs-run',
    'guest/access.ts',
    'if (foreign !== undefined) return unusable(',
    "if (foreign === '') return unusable(",
    'a Secret can make this process run a program',
    [`${room}/guest/access.test.ts`],
  ],
  [
    'refuses-pods',
    'build/guest-objects.ts',
    "failurePolicy: 'Ignore'",
    "failurePolicy: 'Fail'",
    'pods of the platform are refused while the sidecar starts',
    [statements],
  ],
]

const bySimulator = { controllers: ['hosted'] } as const

const hunted: readonly Mutant[] = [
  {
    id: 'hosted-sidecar-before-secrets',
    file: `${room}/control-plane/decide.ts`,
    find: 'actions: [...written.actions, ...changed.actions, ...leftoverActions(seen, input)]',
    replace: 'actions: [...changed.actions, ...written.actions, ...leftoverActions(seen, input)]',
    why: 'Secrets are mounted that are not there yet',
    ...bySimulator,
  },
  {
    id: 'hosted-volumes-forgotten',
    file: `${room}/build/deployment.ts`,
    find: 'placed === undefined ? [] : placed.volumes)',
    replace: 'pod.volumes?.filter(({ name }) => ourVolumes.has(name)) ?? [])',
    why: 'a sidecar without its volumes, and volumes without a sidecar',
    ...bySimulator,
  },
  {
    id: 'hosted-foreign-secret-taken',
    file: `${room}/build/secrets.ts`,
    find: "if (!isOursToWrite(held, owner)) return { kind: 'foreign' }",
    replace: '',
    why: 'a Secret of somebody else is written over',
    ...bySimulator,
  },
  {
    id: 'hosted-edit-of-guest-kept',
    file: `${room}/guest/decide.ts`,
    find: 'if (held !== undefined && isSameButFilledIn(wanted.webhooks, held.webhooks, filledIn)) return',
    replace: 'if (held !== undefined) return',
    why: 'a configuration that refuses pods stays so',
    ...bySimulator,
  },
  {
    id: 'hosted-guest-never-back',
    file: `${room}/guest/guests.ts`,
    find: 'if (this.#waiting.delete(cluster)) this.#wake(cluster)',
    replace: 'this.#waiting.delete(cluster)',
    why: 'a guest that is back is noticed at the next look only',
    ...bySimulator,
  },
  {
    id: 'hosted-first-signer-kept',
    file: `${room}/build/pair.ts`,
    find: "if (!isOfAuthority && !keepsForeign) return 'tls.crt is from another authority'",
    replace: '',
    why: 'a certificate outlives its authority',
    ...bySimulator,
  },
  {
    id: 'hosted-leftovers-kept',
    file: `${room}/control-plane/decide.ts`,
    find: '    .filter(held => isControlledBy(held, plane))\n',
    replace: '    .filter(held => !isControlledBy(held, plane))\n',
    why: 'ours stays behind, and what is not ours goes',
    ...bySimulator,
  },
  {
    id: 'hosted-images-unwatched',
    file: `${room}/control-plane/controller.ts`,
    find: '      inNamespaceOf(settings, configMaps, [settings.imageMap]),\n',
    replace: "      inNamespaceOf(settings, configMaps, ['none']),\n",
    why: 'an image that comes late is not seen',
    ...bySimulator,
  },
]

export const hostedMutants: readonly Mutant[] = [
  ...rows.map(([id, file, find, replace, why, tests]) => ({
    id: `hosted-${id}`,
    file: `${room}/${file}`,
    find,
    replace,
    why,
    tests,
  })),
  ...hunted,
]
