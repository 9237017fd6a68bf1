// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

package struct SimulationReport: CustomStringConvertible, Sendable {
    package var worlds = 0
    package var steps = 0
    package var commits = 0
    /// Commits that a crash discarded before they were durable.
    package var lostCommits = 0
    package var integrations = 0
    package var downloads = 0
    package var messages = 0
    package var duplicates = 0
    package var cuts = 0
    package var clientCrashes = 0
    package var serverCrashes = 0
    package var resets = 0
    package var recovered = 0
    /// Changes that a reset recovered although the server had them.
    package var doubled = 0
    /// Resets that discarded changes unknown to the server, and the number of these changes.
    package var discards = 0
    package var discarded = 0
    package var longAbsences = 0
    package var hostileMessages = 0
    package var subscriptions = 0
    /// Reports of reverted writes.
    package var rejections = 0
    package var changesOfRights = 0
    /// Requests over HTTP, and those of them that the server refused.
    package var requests = 0
    package var refusals = 0

    package init() {}

    package var description: String {
        """
        \(worlds) worlds, \(steps) steps: \(commits) commits (\(lostCommits) more were taken back by crashes), \
        \(integrations) integrated, \(duplicates) arrived again, \(downloads) downloads, \(messages) messages, \(cuts) \
        connections lost, \(clientCrashes) crashes of clients, \(serverCrashes) of servers, \(resets) resets, of which \
        \(discards) discarded \(discarded) changes and the others made \(recovered) again, \(doubled) of these known to \
        the server, \(longAbsences) long absences, \(hostileMessages) hostile messages, \(subscriptions) sets of \
        subscriptions, \(rejections) reports of reverted writes, \(changesOfRights) changes of rights, \
        \(requests) requests, \(refusals) of them refused
        """
    }

    package static func += (a: inout SimulationReport, b: SimulationReport) {
        a.worlds += b.worlds
        a.steps += b.steps
        a.commits += b.commits
        a.lostCommits += b.lostCommits
        a.integrations += b.integrations
        a.downloads += b.downloads
        a.messages += b.messages
        a.duplicates += b.duplicates
        a.cuts += b.cuts
        a.clientCrashes += b.clientCrashes
        a.serverCrashes += b.serverCrashes
        a.resets += b.resets
        a.recovered += b.recovered
        a.doubled += b.doubled
        a.discards += b.discards
        a.discarded += b.discarded
        a.longAbsences += b.longAbsences
        a.hostileMessages += b.hostileMessages
        a.subscriptions += b.subscriptions
        a.rejections += b.rejections
        a.changesOfRights += b.changesOfRights
        a.requests += b.requests
        a.refusals += b.refusals
    }
}
