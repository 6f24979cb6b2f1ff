/** Rows that the twin answers otherwise, each with the reason. A row that differs and is not here fails the run. */
export const reasons: Readonly<Record<string, string>> = {
  'm-list': 'A twin has a handful of files; the directories of a real /system are not among them.',
  'm-diskusage': 'As for m-list.',
  'b-md-nodes-stream': 'As for m-list; which of two nodes comes first is chance.',
  'c-servicelist':
    'Recorded after an apply with an open stream: apid was unhealthy for the ten seconds that its door stayed shut. The replay applies at boot.',
  'b-md-node-badname':
    'The recording has only the end of the resolver’s text; a lab has no resolver that could refuse.',
  'b-containers-k8s': 'Recorded before the other two static pods had started; ids of containers are of the moment.',
  'b-is-list':
    'The recording has the kubelet’s image alone; a real node lists etcd’s too, and the conformance suite wants it.',
  'b-imagelist': 'As for b-is-list.',
  'b-mc-list': 'Versions count the configurations that were applied before.',
  'b-events-secs': 'Tells what happened in the three seconds before, if anything did.',
  'b-watch-svc': 'apid changed its health twice before, for the reason given at c-servicelist.',
  'b-events-bootstrap':
    'The same service events; a real node gathers changes for a moment before it tells its status, a twin tells each.',
  'cp2-events-reboot': 'A health check of etcd happened to fall into the recording.',
  'b-events-tail3': 'What the last three events are follows from what was done before.',
  'b-events-tailid': 'The id is one of the recorded node’s own events.',
  'b-events-first-bootstrap': 'Recorded while the kubelet image was still being pulled, between two of its events.',
  'm-events-during-apply':
    'The same events; services that start side by side interleave otherwise, and the replay does not wait ten seconds for the end.',
  'cp2-svc-removed': 'The recording keeps one service and its last two events.',
};
