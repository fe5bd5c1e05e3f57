// The consumers alone, for the self-contained executable that an image volume brings into other Pods: which of them it is says the name by
// which it is started, or its first word.
import { warn } from '../frame/print.ts'
import { startedConsumer } from './name.ts'
import { runConsumer } from './run.ts'

const started = startedConsumer([process.execPath, process.argv0, ...process.argv.slice(2)])
if (started === undefined) {
  warn(
    'this is credential-process and sidecar of vouch: start it by a link named aws-remote-irsa-credential-process or aws-irsa-sidecar, or with one of these words',
  )
  process.exitCode = 1
} else void runConsumer(started)
