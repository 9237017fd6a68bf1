// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RegnumUITesting
import SwiftUI
import TestTraits
import Testing

private final class Score: ObservableObject {
    var points = 0 { willSet { objectWillChange.send() } }
}

private struct ScoreView: View {
    @StateObject var score = Score()
    @State private var notes = 0

    var body: some View {
        Button("score \(score.points)") { score.points += 1 }
        Text("notes \(notes)")
            .onReceive(NotificationCenter.default.publisher(for: Notification.Name("CombineTests"))) { _ in notes += 1 }
    }
}

/// The names of Combine that `import SwiftUI` alone makes available.
@Suite struct CombineTests {
    @MainActor @Test(.behaviour("W03")) func anObjectThatAnnouncesItsChangesItselfReachesItsView() async throws {
        let host = UIHost.pair(ScoreView())
        try await host.tap(.button("score 0"))
        #expect(host.exists(.button("score 1")))
    }

    @MainActor @Test(.behaviour("W02")) func notificationsArePublishers() async throws {
        let host = UIHost.pair(ScoreView())
        NotificationCenter.default.post(name: Notification.Name("CombineTests"), object: nil)
        await host.settle()
        #expect(host.exists(.text("notes 1")))
    }

    /// Uses the run loop of its own thread, because the main thread's doesn't run in tests.
    @Test(.behaviour("W02")) func timersArePublishers() {
        var count = 0
        let sink = Timer.publish(every: 0.01, on: .current, in: .default).autoconnect().sink { _ in count += 1 }
        let end = Date(timeIntervalSinceNow: 1200)
        while count == 0, Date() < end { RunLoop.current.run(until: Date(timeIntervalSinceNow: 0.05)) }
        #expect(count > 0)
        withExtendedLifetime(sink) {}
    }
}
