import { holdsUnderFaults, seedHolds } from './run-sim.fixture.ts'

holdsUnderFaults(
  'Certs hold their invariants, whatever ACM and Route 53 answer and however late, and whoever meddles with them [B1, B2, B13, B19, B30]',
  { controller: 'certificates', seconds: 10, least: 20, singles: 10 },
)

holdsUnderFaults(
  'a certificate that is there is adopted, whatever goes wrong meanwhile, and no other is asked for [B1, B2, B13]',
  { controller: 'certificates-adopted', seconds: 2, least: 8, singles: 4 },
)

holdsUnderFaults(
  'an ARN that is published stands beside those of others, a key stands in its Secret alone, and what a policy forbids is not asked for [S2, S9, S16]',
  { controller: 'certificates-published', seconds: 4, least: 6, singles: 4 },
)

holdsUnderFaults(
  'Certs end as they should, whatever is wiped, refused, deleted by hand or taken out of the configuration around them [S1, S6, S27, P2]',
  { controller: 'certificates-meddled', seconds: 10, least: 8, singles: 0, isRandomOnly: true },
)

holdsUnderFaults(
  'Certs end as they should, whatever old or foreign status, note or certificate of a stranger somebody writes into them [S1, S2, S9, S27]',
  { controller: 'certificates-forged', seconds: 10, least: 8, singles: 0, isRandomOnly: true, seeds: 40 },
)

holdsUnderFaults(
  'Certs whose hosted zone is deleted and made again under another id have their records there, and are asked for once [S1, S6, P2]',
  { controller: 'certificates-moved', seconds: 6, least: 6, singles: 0, isRandomOnly: true },
)

holdsUnderFaults(
  'Certs that are edited to and fro, paused and refused are Ready with the names and the tags of their generation [S1, S27]',
  { controller: 'certificates-edited', seconds: 6, least: 8, singles: 0, isRandomOnly: true },
)

holdsUnderFaults('nothing is left of a Cert that was given other names more often than its status can list [S3, S6]', {
  controller: 'certificates-replaced',
  seconds: 5,
  least: 3,
  singles: 0,
  isRandomOnly: true,
})

seedHolds('a token of a clock that was an hour ahead is not asked with an hour later [S1]', 'certificates-edited', 3034)
seedHolds('a spec that changed before anybody saw the refusal is asked for [L1]', 'certificates-meddled', 7)
seedHolds('an intent that a hand took from the status is found again [L1]', 'certificates-meddled', 70)
seedHolds('a spec that changes as its certificate is deleted by hand is not said to be Ready [L1]', 'certificates-replaced', 1009)
seedHolds('a change of names while the request is under way leaves no certificate behind [S3]', 'certificates', 33)
seedHolds('the record of a name that is not asked for any more goes with the Cert [L4]', 'certificates', 10)
seedHolds('a stop of a world at rest is waited for until the lease is given back [L5]', 'certificates', 1700092)
seedHolds('what stood in the zone before a move is not told anew a day later [L2]', 'certificates-moved', 9102056)
seedHolds('a wish that comes back while the other one is asked for is not said to be Ready [S27]', 'certificates-forged', 9300208)
seedHolds(
  'an object that is changed and deleted at once is not said to be Ready for the change [S27]',
  'certificates-forged',
  9300319,
)
seedHolds('what failed for a wish that was given up is asked for anew [L1]', 'certificates-meddled', 9300143)
seedHolds('what a slow clock still waits for is no rest [L2]', 'certificates-meddled', 9300687)
seedHolds('a record that a list leaves out once goes with its Cert all the same [S26]', 'certificates', 9201004)
seedHolds(
  'an object whose status names a stranger’s certificate goes, and waits for nothing [L1]',
  'certificates-forged',
  5000111,
)
seedHolds('a stranger’s certificate that is given up leads to no second request [S1]', 'certificates-forged', 5000135)
seedHolds(
  'a certificate that ACM does not show yet goes with its object, whoever wiped the intent [S6]',
  'certificates-forged',
  6000303,
)
