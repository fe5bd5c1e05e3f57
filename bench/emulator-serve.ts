// The AWS emulator as a process of its own, for the bench: prints where it listens as one line of JSON, ends with its input.
import { createAws } from '#emulator'

const aws = createAws({ seed: 'bench', knobs: { quotas: { roles: 1_000_000 } } })
const listener = await aws.listen()
console.log(JSON.stringify({ url: `http://127.0.0.1:${listener.port}` }))
process.stdin.on('end', () => process.exit(0)).resume()
