// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSystem

/// A line that displays the progress of a task: the share, the rate and the remaining time.
///
/// It appears after a second and is drawn by its own thread. Without a terminal for messages, it doesn't appear and the
/// thread isn't started. The variables are guarded by `lock`, hence the unchecked `Sendable`; the rest is immutable.
final class Progress: @unchecked Sendable {
    private var title: String
    private var total: Int?
    private let unit: Unit
    private let terminal: Terminal
    private var start = Date()
    private let lock = Lock()
    private(set) var count = 0
    private var isOver = false
    private var isDrawn = false

    enum Unit: Sendable {
        case bytes
        case things(String)
    }

    init(_ title: String, total: Int? = nil, _ unit: Unit, _ terminal: Terminal) {
        self.title = title
        self.total = total
        self.unit = unit
        self.terminal = terminal
        guard terminal.showsProgress else { return }
        Thread.detachNewThread { [self] in draw() }
    }

    func advance(by step: Int = 1) { lock.locked { count += step } }

    func reach(_ count: Int) { lock.locked { self.count = count } }

    /// Sets the amount of work done in a part of the task, which has its own rate.
    func reach(_ count: Int, of total: Int, in title: String) {
        lock.locked {
            if title != self.title { (self.title, start) = (title, Date()) }
            (self.count, self.total) = (count, total)
        }
    }

    /// Runs `body`, which writes to the terminal, while the line is hidden.
    func aside(_ body: () throws -> Void) rethrows {
        try lock.locked {
            erase()
            try body()
        }
    }

    func finish() {
        lock.locked {
            isOver = true
            erase()
        }
    }

    private func erase() {
        guard isDrawn else { return }
        terminal.message("\r\u{1B}[K")
        isDrawn = false
    }

    private func draw() {
        Thread.sleep(forTimeInterval: 1)
        while drawOnce() { Thread.sleep(forTimeInterval: 0.2) }
    }

    func drawOnce() -> Bool {
        lock.locked {
            guard !isOver else { return false }
            isDrawn = true
            terminal.message("\r" + line(count, after: Date().timeIntervalSince(start)) + "\u{1B}[K")
            return true
        }
    }

    func line(_ count: Int, after seconds: Double) -> String {
        let rate = seconds > 0 ? Double(count) / seconds : 0
        var parts = [title]
        if let total, total > 0 {
            let share = min(1, Double(count) / Double(total))
            let filled = Int(share * 20)
            parts += [
                "[" + String(repeating: "#", count: filled) + String(repeating: ".", count: 20 - filled) + "]",
                "\(Int(share * 100)) %",
            ]
        }
        if count > 0 { parts.append("\(text(Double(count))), \(text(rate))/s") }
        if let total, rate > 0, count < total {
            parts.append(Progress.span(Double(total - count) / rate) + " left")
        } else {
            parts.append(Progress.span(seconds))
        }
        return parts.joined(separator: "  ")
    }

    private func text(_ amount: Double) -> String {
        switch unit {
        case .things(let noun): return Int(amount).grouped + " " + noun
        case .bytes:
            let units = ["bytes", "KB", "MB", "GB", "TB"]
            let power = amount < 1000 ? 0 : min(4, Int(log10(amount) / 3))
            let value = amount / pow(1000, Double(power))
            return (power == 0 ? "\(Int(value))" : String(format: "%.1f", value)) + " " + units[power]
        }
    }

    private static func span(_ seconds: Double) -> String {
        let whole = Int(min(seconds, 1e9).rounded(.up))
        return whole < 60 ? "\(whole) s" : whole < 3600 ? "\(whole / 60) min \(whole % 60) s" : "\(whole / 3600) h"
    }
}
