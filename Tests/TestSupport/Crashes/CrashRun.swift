// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

package struct CrashRun {
    package let workload: CrashWorkload
    package let configuration: CrashConfiguration
    package let seed: UInt64

    package init(_ workload: CrashWorkload, _ configuration: CrashConfiguration, seed: UInt64) {
        self.workload = workload
        self.configuration = configuration
        self.seed = seed
    }

    /// The interval of images that are verified in depth.
    private static let deepInterval = 16

    package func tryRandomImages(_ count: Int, with verifier: CrashVerifier) throws {
        var generator = SeededGenerator(seed: seed)
        let recording = try workload.record(&generator, configuration)
        let events = recording.file.events
        // Sorted, so that each moment is reached from the previous one.
        var moments = (0..<count).map { _ in generator.below(events.count + 1) }
        moments.sort()
        var image = CrashImage(of: recording.base, on: configuration.disk)
        var done = 0
        for (index, moment) in moments.enumerated() {
            while done < moment {
                image.apply(events[done])
                done += 1
            }
            let kept = generator.pick(CrashImage.Kept.allCases)
            try withTrace("image \(index), after event \(moment) of \(events.count), keeping \(kept)") {
                let bytes = image.crashed(keeping: kept, using: &generator)
                let isDeep = index % CrashRun.deepInterval == 0
                try verifier.verify(bytes, of: recording, after: moment, isDeep: isDeep, using: &generator)
            }
        }
    }

    package struct Extent: Sendable {
        package var completeMoments = 0
        package var boundedMoments = 0
        package var images = 0
    }

    /// Tries every possible image of a crash at any moment once.
    ///
    /// An image that is possible at a moment stays possible until the next sync, so the moments before each sync and at
    /// the end suffice.
    package func tryEveryImage(with verifier: CrashVerifier) throws -> Extent {
        var generator = SeededGenerator(seed: seed)
        let recording = try workload.record(&generator, configuration)
        let events = recording.file.events
        var image = CrashImage(of: recording.base, on: configuration.disk)
        var extent = Extent()
        for moment in 0...events.count {
            let isLast = moment == events.count
            if isLast || CrashRun.isSync(events[moment]) {
                var seen: Set<Int> = []
                let completeness = try image.everyImage { bytes in
                    guard seen.insert(bytes.hashValue).inserted else { return }
                    extent.images += 1
                    try withTrace("image \(seen.count) before event \(moment) of \(events.count)") {
                        let isDeep = seen.count % CrashRun.deepInterval == 1
                        try verifier.verify(bytes, of: recording, after: moment, isDeep: isDeep, using: &generator)
                    }
                }
                if completeness == .complete { extent.completeMoments += 1 } else { extent.boundedMoments += 1 }
            }
            if !isLast { image.apply(events[moment]) }
        }
        return extent
    }

    private static func isSync(_ event: FaultyFile.Event) -> Bool {
        switch event {
        case .sync, .failedSync: true
        default: false
        }
    }
}
