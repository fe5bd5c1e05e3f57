// `vouch webhook azure-proxy`: what answers a pod's calls of the instance metadata service, in the container that the Azure webhook injects.
import { tellRefusal } from '../frame/refusal.ts'
import { stopBySignal } from '../frame/stop-signal.ts'

/** Until it is told to stop; with --probe until it is known whether another answers. */
export async function runAzureProxy(args: readonly string[]): Promise<void> {
  const { createLog, systemClock, systemSeams } = await import('#base')
  const { probeProxy, readProxyIdentity, readProxyProgram, runProxy } = await import('#operators/pods')
  try {
    const { port, probes } = readProxyProgram(args)
    const seams = systemSeams(process.env, { log: createLog({ clock: systemClock, form: 'json', level: 'info' }) })
    if (probes) {
      process.exitCode = (await probeProxy(port, seams)) ? 0 : 1
      return
    }
    await runProxy({ port, identity: readProxyIdentity(process.env), seams }, stopBySignal().signal)
  } catch (error) {
    tellRefusal(error)
  }
}
