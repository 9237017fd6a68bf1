// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The process's watcher of files: one of the kernel's queues, whose number per user is limited, and one thread that
/// reads it.
///
/// `monitor` guards everything that changes. It is held across the calls that add and remove watches, because the
/// kernel assigns one number to all watches of a file.
final class FileWatcher: @unchecked Sendable {
    static let shared = FileWatcher()

    struct Watch: Sendable {
        fileprivate let number: Int32
        fileprivate let alarm: UInt64
    }

    private let makeEvents: @Sendable () throws -> FileEvents
    private let monitor = Monitor()
    private var events: FileEvents?
    private var alarms: [Int32: [UInt64: Alarm]] = [:]
    private var nextAlarm: UInt64 = 0
    /// The process whose thread reads the events. After `fork` the child has no such thread, and shares the queue.
    private var owner = CurrentProcess.identifier

    init(makeEvents: @escaping @Sendable () throws -> FileEvents = { try FileEvents() }) {
        self.makeEvents = makeEvents
    }

    func add(_ alarm: Alarm, path: String) throws -> Watch {
        try monitor.locked {
            if owner != CurrentProcess.identifier {
                events?.close()
                (events, alarms, owner) = (nil, [:], CurrentProcess.identifier)
            }
            let number = try startedEvents(path).watch(path)
            nextAlarm += 1
            alarms[number, default: [:]][nextAlarm] = alarm
            return Watch(number: number, alarm: nextAlarm)
        }
    }

    func remove(_ watch: Watch) {
        monitor.locked {
            guard owner == CurrentProcess.identifier, alarms[watch.number]?.removeValue(forKey: watch.alarm) != nil
            else { return }
            guard alarms[watch.number]?.isEmpty == true else { return }
            alarms[watch.number] = nil
            events?.unwatch(watch.number)
        }
    }

    private func startedEvents(_ path: String) throws -> FileEvents {
        if let events { return events }
        let made = try makeEvents()
        do {
            try SystemThread(path: path) { while let numbers = made.next() { self.ring(numbers) } }.detach()
        } catch {
            made.close()
            throw error
        }
        events = made
        return made
    }

    private func ring(_ numbers: [Int32]) {
        let rung = monitor.locked {
            let known = numbers.contains(-1) ? Array(alarms.values) : Set(numbers).compactMap { alarms[$0] }
            return known.flatMap(\.values)
        }
        for alarm in rung { alarm.ring() }
    }
}

/// Wakes the thread of a `ChangeSignal`. `monitor` guards the state.
final class Alarm: @unchecked Sendable {
    enum Reason {
        case rung
        case timeout
        case stopped
    }

    private let monitor = Monitor()
    private var isRung = false
    private var isStopped = false

    func ring() {
        monitor.locked {
            isRung = true
            monitor.signal()
        }
    }

    func stop() {
        monitor.locked {
            isStopped = true
            monitor.signal()
        }
    }

    func wait(nanoseconds: Int64? = nil) -> Reason {
        let end = nanoseconds.map { CurrentProcess.uptime + $0 }
        return monitor.locked {
            while !isRung, !isStopped {
                let rest = end.map { $0 - CurrentProcess.uptime }
                if let rest, rest <= 0 { return .timeout }
                monitor.wait(nanoseconds: rest)
            }
            isRung = false
            return isStopped ? .stopped : .rung
        }
    }
}
