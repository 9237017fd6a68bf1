// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

/// The run loop of a thread, which runs work scheduled by other threads.
///
/// `loop` and its `handle` are set once, and used only for operations that other threads may perform on a run loop;
/// `work` is guarded by its lock.
@safe package final class RunLoopMark: @unchecked Sendable {
    /// Keeps `handle` valid.
    private let loop: RunLoop
    private let handle: LoopHandle
    private let work = Locked<[@Sendable () -> Void]>([])

    private init(_ loop: RunLoop, _ handle: LoopHandle) {
        self.loop = loop
        self.handle = handle
    }

    package static let main = RunLoopMark(.main, mainLoop())

    /// The run loop of the caller's thread, if it runs.
    package static var current: RunLoopMark? {
        let loop = RunLoop.current
        return loop.currentMode == nil ? nil : RunLoopMark(loop, currentLoop())
    }

    /// Schedules `body` on the thread, after earlier work.
    ///
    /// Doesn't use a timer for each call, because Foundation's timers are never freed on Linux. Blocks that wait while
    /// the loop runs within one of them may be overtaken, so the order of their work is maintained here.
    package func run(_ body: @escaping @Sendable () -> Void) {
        work.withLock { $0.append(body) }
        perform { self.runNext() }
    }

    /// Adds a permanent timer to the loop, so that it keeps running.
    package func keep() { loop.add(Timer(timeInterval: 1e9, repeats: true) { _ in }, forMode: .common) }

    package var isRunning: Bool { loop.currentMode != nil }

    /// Runs `body` in a later pass of the loop.
    package func perform(_ body: @escaping @Sendable () -> Void) { RealmRuntime.perform(on: handle, body) }

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

    /// The mode that represents all common ones. Unsafe by its type only: the string never changes.
    nonisolated(unsafe) private let commonModes = RunLoop.Mode.common.rawValue as NSString

    private func perform(on loop: LoopHandle, _ body: @escaping () -> Void) {
        unsafe performBlock(loop.pointer, Unmanaged.passUnretained(commonModes).toOpaque(), body)
        unsafe wakeUp(loop.pointer)
    }

    // Foundation's library contains the functions of Core Foundation, but its Swift module doesn't declare them.
    @_silgen_name("CFRunLoopGetMain") private func getMainLoop() -> UnsafeMutableRawPointer
    @_silgen_name("CFRunLoopGetCurrent") private func getCurrentLoop() -> UnsafeMutableRawPointer
    @_silgen_name("CFRunLoopWakeUp") private func wakeUp(_ loop: UnsafeMutableRawPointer)
    @_silgen_name("CFRunLoopPerformBlock")
    private func performBlock(
        _ loop: UnsafeMutableRawPointer, _ mode: UnsafeMutableRawPointer,
        _ block: @escaping @convention(block) () -> Void)
#endif
