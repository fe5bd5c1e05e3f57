// `vouch sidecar`: keeps a token and an AWS configuration fresh for the program beside it, which acts as a ServiceAccount of the cluster of
// its kubeconfig. `vouch sidecar check` says whether the files are there: for a startup probe.
import { warn } from '../frame/print.ts'
import { stopBySignal } from '../frame/stop-signal.ts'
import type { Consumer } from './consumer.ts'
import type { StartedConsumer } from './name.ts'

const vagueTrouble = 'AWS IRSA sidecar failed'

export const sidecar: Consumer = {
  vagueTrouble,
  run: started => (started.args[0] === 'check' ? check(started.args.slice(1)) : keepFresh(started)),
}

async function check(args: readonly string[]): Promise<string> {
  const { checkSidecarFiles, readCheckFlags } = await import('#credentials')
  const { systemFiles } = await import('#base')
  const trouble = await checkSidecarFiles(systemFiles, readCheckFlags(args))
  if (trouble !== undefined) throw new Error(trouble)
  return 'checked'
}

async function keepFresh({ args, standsIn }: StartedConsumer): Promise<string> {
  const { readSidecarFlags, renderTrouble, runSidecar } = await import('#credentials')
  const { systemSeams } = await import('#base')
  const { connect } = await import('#kube/client')
  const { kubeconfig, ...paths } = readSidecarFlags(args)
  const seams = systemSeams(process.env)
  const stop = stopBySignal()
  let isTold = false
  await runSidecar(
    {
      paths,
      files: seams.files,
      clock: seams.clock,
      connect: async () => {
        const choice = { kubeconfig: [kubeconfig], followsKubeconfig: true, userAgent: 'vouch-sidecar' }
        return (await connect(seams, choice)).client
      },
      onTrouble: error => {
        isTold = false
        warn(renderTrouble(error, vagueTrouble))
      },
      // Once, and again after trouble: who looks into its log sees that it works.
      onWritten: () => {
        if (!isTold) warn(`${paths.tokenFile} and ${paths.configFile} are fresh`)
        isTold = true
      },
    },
    stop.signal,
  )
  // Its connections may outlast it; the program that it stands in for ends with 1 when it is told to stop.
  return process.exit(standsIn ? 1 : 0)
}
