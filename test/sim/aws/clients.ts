// Clients of AWS in a simulated world: those of a process, whose calls are parked, lost and refused, and those of whoever prepares the
// world before anything starts.
import { AwsClients, inProcessTransport, staticCredentials } from '#aws/client'
import { ManualClock, seededRandom } from '#base'
import type { Aws } from '#emulator'
import type { ProcessContext } from '#simulator'

export function processClients({ seams, cloud }: ProcessContext): AwsClients {
  if (cloud === undefined) throw new Error('this subject has a cloud')
  return new AwsClients({
    credentials: staticCredentials(cloud.credentials),
    transport: inProcessTransport(cloud.exchange),
    clock: seams.clock,
    random: seams.random,
  })
}

export function adminClients(aws: Aws): AwsClients {
  return new AwsClients({
    credentials: staticCredentials(aws.adminCredentials()),
    transport: inProcessTransport(aws.handle),
    clock: new ManualClock(),
    random: seededRandom('prepare'),
  })
}
