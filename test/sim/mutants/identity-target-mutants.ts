// Defects of what the identity operator does with clusters: the inventory, the runtime on a target, annotations, admission, rights. Each is
// one of a decision or of wiring, and has the tests that must notice it.
import type { Mutant } from './mutants.ts'

const room = 'src/operators/identity'
const resolve = ['src/fleet/resolve.test.ts', 'src/fleet/access.test.ts']
const engagement = ['src/fleet/engage.test.ts']
const runtime = ['src/operators/identity/target/runtime.test.ts']
const rotation = [`${room}/target/rotation.test.ts`]
const annotation = [`${room}/target/annotation.test.ts`]
const admission = ['src/operators/identity/admission/admission.test.ts', `${room}/admission/admit.test.ts`]
const flags = ['src/cli/operator/flags.test.ts']
const serving = ['test/identity/operator-process.test.ts']

const at = (file: string, find: string, replace: string) => ({ file: `${room}/${file}`, find, replace })
const inFleet = (file: string, find: string, replace: string) => ({ file: `src/fleet/${file}`, find, replace })

export const identityTargetMutants: readonly Mutant[] = [
  {
    id: 'inventory-any-manager',
    ...inFleet('resolve.ts', ' && metadata.labels[clusterManagerLabel] === clusterManagerWanted', ''),
    why: 'profiles of any manager count',
    tests: resolve,
  },
  {
    id: 'inventory-takes-first-of-two',
    ...inFleet('resolve.ts', 'if (others.length > 0) {', 'if (others.length > 1) {'),
    why: 'two clusters for one namespace are not told',
    tests: resolve,
  },
  {
    id: 'inventory-credential-providers-count',
    ...inFleet('resolve.ts', '(status?.accessProviders ?? [])', '(status?.accessProviders ?? status?.credentialProviders ?? [])'),
    why: 'the deprecated list makes a profile ready',
    tests: resolve,
  },
  {
    id: 'access-file-loses-to-profile',
    ...inFleet('access.ts', ': { ...added, ...exec.env },', ': { ...exec.env, ...added },'),
    why: "a profile's environment wins over the file's",
    tests: resolve,
  },
  {
    id: 'access-args-always',
    ...inFleet(
      'access.ts',
      "provider.argsPolicy === 'Ignore' ? undefined : extension(argsExtension)",
      'extension(argsExtension)',
    ),
    why: 'a profile adds arguments to a program without being allowed to',
    tests: resolve,
  },
  {
    id: 'access-env-order-counts',
    ...inFleet('access.ts', '.toSorted(([a], [b]) => (a < b ? -1 : 1))', ''),
    why: 'the order of the environment engages a cluster anew',
    tests: resolve,
  },
  {
    id: 'engage-unhealthy',
    ...inFleet('choose.ts', "'ControlPlaneHealthy')?.status === 'True'", "'ControlPlaneHealthy')?.status !== 'Unknown'"),
    why: 'a cluster that is not healthy stays in the fleet',
    tests: engagement,
  },
  {
    id: 'engage-same-cluster-twice',
    ...inFleet(
      'members.ts',
      'name !== cluster && member.clusterUid === clusterUid',
      'name === cluster && member.clusterUid === clusterUid',
    ),
    why: 'two names for one cluster both engage it',
    tests: engagement,
  },
  {
    id: 'engage-junior-wins',
    ...inFleet(
      'engage.ts',
      'if (rival !== undefined && !isSenior(profile, rival[1].profile))',
      'if (rival !== undefined && isSenior(profile, rival[1].profile))',
    ),
    why: 'which of two names keeps a cluster depends on who came last',
    tests: engagement,
  },
  {
    id: 'engage-refused-for-ever',
    ...inFleet('engage.ts', '    this.#members.forget(cluster)\n    this.#wakeAway()', '    this.#members.forget(cluster)'),
    why: 'a name that was refused for another does not come in when that one has gone',
    tests: engagement,
  },
  {
    id: 'engage-no-wake',
    ...inFleet('engage.ts', "if (waiters === 'everyone') this.#changed(cluster)", "if (waiters === 'everyone') return"),
    why: 'a cluster whose caches are whole is no event',
    tests: engagement,
  },
  {
    id: 'engage-wakes-no-claim',
    ...inFleet('engage.ts', 'this.#controllerOf(controller)?.add(key)', 'this.#controllerOf(controller)'),
    why: 'a claim that was told its cluster was away stays so until it looks by itself',
    tests: ['src/fleet/engage-steps.test.ts'],
  },
  {
    id: 'engage-waits-as-everyone',
    ...inFleet('waiters.ts', 'all.awaitBack(cluster, waiter)', 'all.awaitBack(cluster)'),
    why: 'every binding of a cluster is looked at twice after each start',
    tests: ['src/fleet/waiters.test.ts'],
  },
  {
    id: 'engage-one-at-a-time',
    ...inFleet('engage.ts', 'const workers = 128', 'const workers = 1'),
    why: 'a cluster that hangs keeps all others waiting',
    tests: engagement,
  },
  {
    id: 'engage-tells-too-late',
    ...inFleet('engage.ts', 'new Members(targetPatienceMs)', 'new Members(3_600_000)'),
    why: 'a provider that hangs is not told for an hour',
    tests: engagement,
  },
  {
    id: 'engage-failure-not-patient',
    ...inFleet('members.ts', 'return now - failing.since < this.#patienceMs', 'return now - failing.since < 0'),
    why: 'a provider that is slow after a restart turns things off',
    tests: engagement,
  },
  {
    id: 'engage-tells-what-was-printed',
    ...inFleet(
      'describe-failure.ts',
      'return `cluster ${cluster} cannot be reached through provider ${provider}: ${describe(error)}`',
      'return `cluster ${cluster} cannot be reached through provider ${provider}: ${describe(error)} ${String(error)}`',
    ),
    why: 'a condition repeats what a program printed',
    tests: engagement,
  },
  {
    id: 'engage-old-cluster-for-new',
    ...inFleet('engage.ts', 'held?.way === way && held.clusterUid === clusterUid', 'held?.way === way'),
    why: 'another cluster behind the same address is taken for the old one',
    tests: engagement,
  },
  {
    id: 'runtime-writes-over-foreign',
    ...at('target/runtime.ts', 'if (foreign.length > 0)', 'if (foreign.length > 99)'),
    why: 'the rest is written although an object is not ours',
    tests: runtime,
  },
  {
    id: 'runtime-trusts-filtered-cache',
    ...at('target/runtime.ts', 'type === serviceAccounts ? undefined : await reads.read(type, key, tools.signal)', 'undefined'),
    why: 'what the filtered caches do not show is taken for absent',
    tests: runtime,
  },
  {
    id: 'runtime-configures-at-once',
    ...at(
      'target/runtime.ts',
      'isConfigured || state.lag !== undefined ? [] : configuration',
      'isConfigured ? [] : configuration',
    ),
    why: 'pods are sent to a webhook that was never up',
    tests: runtime,
  },
  {
    id: 'runtime-ready-by-newest-only',
    ...at('target/runtime.ts', 'if (isConfigured && state.serves)', 'if (isConfigured && state.settled)'),
    why: 'a roll-out turns Ready off while the old pods serve',
    tests: runtime,
  },
  {
    id: 'runtime-restart-turns-off',
    ...at(
      'target/runtime.ts',
      "if (seen.kind === 'unknown' && current?.status === 'True') {",
      "if (seen.kind === 'unknown' && current?.status === 'Unknown') {",
    ),
    why: 'a restart turns Ready off until the target was listed',
    tests: runtime,
  },
  {
    id: 'runtime-proof-before-trust',
    ...at(
      'target/runtime.ts',
      "    ...(isConfigured ? configuration : []),\n    ...make('servingSecret', objects.servingSecret(namespace, serving)),",
      "    ...make('servingSecret', objects.servingSecret(namespace, serving)),\n    ...(isConfigured ? configuration : []),",
    ),
    why: 'a new signature is served before its authority is trusted',
    tests: [...rotation, ...runtime],
  },
  {
    id: 'runtime-forgets-old-authority',
    ...at('target/certificates.ts', 'if (!keepEarlier) return ca', 'return ca'),
    why: 'trust in the earlier authority ends while pods show its signature',
    tests: [...rotation, ...runtime],
  },
  {
    id: 'runtime-keeps-old-authority',
    ...at(
      'target/certificate-plan.ts',
      '!isGood || !isRolledOut(objects.deployment, serving) || ageMs(serving, now) < kubeletMs',
      'true',
    ),
    why: 'an authority that signs nothing any more is trusted for ever',
    tests: [...rotation, ...runtime],
  },
  {
    id: 'runtime-renews-late',
    ...at(
      'target/certificates.ts',
      'export const renewBeforeMs: number = 30 * day',
      'export const renewBeforeMs: number = 0 * day',
    ),
    why: 'a certificate is renewed when it has expired',
    tests: rotation,
  },
  {
    id: 'runtime-wrong-key-is-fine',
    file: 'src/base/x509/pair.ts',
    find: 'certificate.checkPrivateKey(createPrivateKey(key)) ? undefined :',
    replace: 'createPrivateKey(key) !== undefined ? undefined :',
    why: 'a certificate with the key of another is served',
    tests: rotation,
  },
  {
    id: 'runtime-same-fingerprint',
    ...at('target/runtime.ts', 'fingerprint: fingerprintOf(serving.certificate)', 'fingerprint: fingerprintOf(namespace)'),
    why: 'a new certificate does not roll the pods',
    tests: runtime,
  },
  {
    id: 'runtime-drops-sidecars',
    ...at('target/deployment.ts', 'containers: withItem(pod.containers, container(wanted)),', 'containers: [container(wanted)],'),
    why: 'containers of others are removed',
    tests: runtime,
  },
  {
    id: 'runtime-without-defaults',
    ...at('target/deployment.ts', 'secret: { secretName: runtimeName, defaultMode: 420 }', 'secret: { secretName: runtimeName }'),
    why: 'a default of the server is taken for a difference, for ever',
    tests: runtime,
  },
  {
    id: 'removal-keeps-configuration',
    ...at('target/removal.ts', "      ...deletion(cluster, 'webhook', webhook),\n", ''),
    why: 'the configuration is never taken away, and pods are sent to a webhook that is gone',
    tests: runtime,
  },
  {
    id: 'removal-deletes-foreign',
    ...at('target/removal.ts', "if (found.kind !== 'ours' || found.object", "if (found.kind === 'absent' || found.object"),
    why: 'objects of others are deleted',
    tests: runtime,
  },
  {
    id: 'annotation-overwrites-newer',
    ...at('target/annotation.ts', "patch: 'merge', body, uid, resourceVersion }", "patch: 'merge', body, uid }"),
    why: 'a change since the decision is overwritten',
    tests: annotation,
  },
  {
    id: 'annotation-removes-other-role',
    ...at(
      'target/annotation.ts',
      'account.metadata.annotations?.[roleArnAnnotation] !== owned.roleArn',
      'account.metadata.annotations?.[roleArnAnnotation] === undefined',
    ),
    why: 'the annotation of another role is removed',
    tests: annotation,
  },
  {
    id: 'annotation-gone-unseen',
    ...at(
      'target/annotation.ts',
      "return { actions: [], gone: false, blocked: { reason: 'RemoteClusterUnavailable', message: seen.message } }",
      'return { actions: [], gone: true }',
    ),
    why: 'what cannot be seen is taken for removed',
    tests: annotation,
  },
  {
    id: 'annotation-restart-turns-off',
    ...at(
      'target/annotation.ts',
      "if (seen.kind === 'unknown' && current?.status === 'True') {",
      "if (seen.kind === 'unknown' && current?.status === 'Unknown') {",
    ),
    why: 'a restart turns every binding off',
    tests: annotation,
  },
  {
    id: 'admission-force-any-value',
    ...at('admission/admit.ts', "held[annotations.forceDelete] === 'true'", 'held[annotations.forceDelete] !== undefined'),
    why: 'any value of the annotation forces a deletion',
    tests: admission,
  },
  {
    id: 'admission-terminating-counts',
    ...at('admission/admit.ts', '      !terminating && serviceAccount.namespace', '      serviceAccount.namespace'),
    why: 'a role that is going keeps its successor out',
    tests: admission,
  },
  {
    id: 'admission-open-on-failure',
    ...at(
      'admission/handlers.ts',
      '    return failed(error)',
      "    return failed(error).kind === 'deny' ? { kind: 'allow' } : { kind: 'allow' }",
    ),
    why: 'a read that fails lets everything in',
    tests: admission,
  },
  {
    id: 'admission-blocks-itself',
    file: 'src/runtime/webhook/validating-configuration.ts',
    find: "request.operation != 'UPDATE' || ",
    replace: "request.operation == 'UPDATE' || ",
    why: "the operator's own updates depend on its webhook",
    tests: admission,
  },
  {
    id: 'flags-http-is-fine',
    file: 'src/aws/client/flags.ts',
    find: "url.protocol === 'http:' && !values.boolean('allow-unsafe-aws-endpoint-urls')",
    replace: "url.protocol === 'http:' && values.boolean('help')",
    why: 'credentials travel in the clear unasked',
    tests: flags,
  },
  {
    id: 'metrics-without-right',
    file: 'src/cli/operator/guarded-metrics.ts',
    find: 'return access.status?.allowed === true ? 200 : 403',
    replace: 'return access.status === undefined ? 403 : 200',
    why: 'whoever has a token reads the metrics',
    tests: serving,
  },
]
