// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

/// The run loop of a thread, which does the work that other threads send there.
///
/// `loop` and its `handle` are set once, and used only for what other threads may do with a run loop; `work` is guarded
/// by its lock.
@safe final class RunLoopMark: @unchecked Sendable {
    /// Keeps `handle` valid.
    private let loop: RunLoop
    private let handle: LoopHandle
    private let work = Locked<[@Sendable () -> Void]>([])

    private init(_ loop: RunLoop, _ handle: LoopHandle) {
        self.loop = loop
        self.handle = handle
    }

    static let main = RunLoopMark(.main, mainLoop())

    /// That of the caller's thread, if it runs.
    static var current: RunLoopMark? {
        let loop = RunLoop.current
        return loop.currentMode == nil ? nil : RunLoopMark(loop, currentLoop())
    }

    /// Runs `body` on the thread, after what was sent there before.
    ///
    /// Not by a timer for each call: Foundation's timers are never freed on Linux. Blocks that wait while the loop runs
    /// within one of them may be overtaken, so what they run is kept in order here.
    func run(_ body: @escaping @Sendable () -> Void) {
        work.withLock { $0.append(body) }
        perform { self.runNext() }
    }

    /// Gives the loop something to wait for, for good.
    func keep() { loop.add(Timer(timeInterval: 1e9, repeats: true) { _ in }, forMode: .common) }

    /// Whether the loop runs.
    var isRunning: Bool { loop.currentMode != nil }

    /// Runs `body` in a coming pass of the loop.
    func perform(_ body: @escaping @Sendable () -> Void) { RealmSwift.perform(on: handle, body) }

    private func runNext() {
        let body = work.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        body?()
    }
}

#if canImport(Darwin)
    private typealias LoopHandle = CFRunLoop

    private func currentLoop() -> LoopHandle { CFRunLoopGetCurrent() }

    private func mainLoop() -> LoopHandle { CFRunLoopGetMain() }

    private func perform(on loop: LoopHandle, _ body: @escaping () -> Void) {
        CFRunLoopPerformBlock(loop, CFRunLoopMode.commonModes.rawValue, body)
        CFRunLoopWakeUp(loop)
    }
#else
    /// Core Foundation's run loop. Safe because `RunLoopMark` retains the loop.
    @safe private struct LoopHandle {
        let pointer: UnsafeMutableRawPointer
    }

    private func currentLoop() -> LoopHandle { unsafe LoopHandle(pointer: getCurrentLoop()) }

    private func mainLoop() -> LoopHandle { unsafe LoopHandle(pointer: getMainLoop()) }

    /// The mode that stands for all common ones. Unsafe by its type only: the text never changes.
    nonisolated(unsafe) private let commonModes = RunLoop.Mode.common.rawValue as NSString

    private func perform(on loop: LoopHandle, _ body: @escaping () -> Void) {
        unsafe performBlock(loop.pointer, Unmanaged.passUnretained(commonModes).toOpaque(), body)
        unsafe wakeUp(loop.pointer)
    }

    // Foundation's library has the functions of Core Foundation, and its Swift module lacks them.
    @_silgen_name("CFRunLoopGetMain") private func getMainLoop() -> UnsafeMutableRawPointer
    @_silgen_name("CFRunLoopGetCurrent") private func getCurrentLoop() -> UnsafeMutableRawPointer
    @_silgen_name("CFRunLoopWakeUp") private func wakeUp(_ loop: UnsafeMutableRawPointer)
    @_silgen_name("CFRunLoopPerformBlock")
    private func performBlock(
        _ loop: UnsafeMutableRawPointer, _ mode: UnsafeMutableRawPointer,
        _ block: @escaping @convention(block) () -> Void)
#endif
