// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// How a change is animated. Here every change is shown at once.
public struct Animation: Hashable, Sendable {
    let duration: Double

    /// The usual one.
    public static let `default` = Animation(duration: 0.35)
    /// Slow at first.
    public static let easeIn = Animation(duration: 0.35)
    /// Slow at the end.
    public static let easeOut = Animation(duration: 0.35)
    /// Slow at first and at the end.
    public static let easeInOut = Animation(duration: 0.35)
    /// Of even speed.
    public static let linear = Animation(duration: 0.35)
    /// Bouncy.
    public static let bouncy = Animation(duration: 0.5)
    /// Smooth.
    public static let smooth = Animation(duration: 0.5)
    /// Snappy.
    public static let snappy = Animation(duration: 0.5)
    /// Like a spring.
    public static let spring = Animation(duration: 0.5)

    /// Slow at first.
    public static func easeIn(duration: Double) -> Animation { Animation(duration: duration) }
    /// Slow at the end.
    public static func easeOut(duration: Double) -> Animation { Animation(duration: duration) }
    /// Slow at first and at the end.
    public static func easeInOut(duration: Double) -> Animation { Animation(duration: duration) }
    /// Of even speed.
    public static func linear(duration: Double) -> Animation { Animation(duration: duration) }
    /// Like a spring.
    public static func spring(
        response: Double = 0.5, dampingFraction: Double = 0.825, blendDuration: Double = 0
    ) -> Animation { Animation(duration: response) }
    /// Like a spring under a finger.
    public static func interactiveSpring(
        response: Double = 0.15, dampingFraction: Double = 0.86, blendDuration: Double = 0.25
    ) -> Animation { Animation(duration: response) }
    /// Along a curve.
    public static func timingCurve(
        _ c0x: Double, _ c0y: Double, _ c1x: Double, _ c1y: Double, duration: Double = 0.35
    ) -> Animation { Animation(duration: duration) }
    /// Later.
    public func delay(_ delay: Double) -> Animation { self }
    /// Faster or slower.
    public func speed(_ speed: Double) -> Animation { Animation(duration: speed > 0 ? duration / speed : duration) }
    /// Several times.
    public func repeatCount(_ repeatCount: Int, autoreverses: Bool = true) -> Animation { self }
    /// Again and again.
    public func repeatForever(autoreverses: Bool = true) -> Animation { self }
}

/// What a change says of itself.
public struct Transaction: Sendable {
    /// How it is animated.
    public var animation: Animation?
    /// Whether it is not animated whatever views say.
    public var disablesAnimations = false

    /// Makes a transaction.
    public init(animation: Animation? = nil) { self.animation = animation }
}

/// How a view comes and goes. Here it does at once.
public struct AnyTransition: Sendable {
    /// At once.
    public static let identity = AnyTransition()
    /// Fading.
    public static let opacity = AnyTransition()
    /// Growing.
    public static let scale = AnyTransition()
    /// From the side.
    public static let slide = AnyTransition()
    /// Growing from a place.
    public static func scale(scale: CGFloat, anchor: UnitPoint = .center) -> AnyTransition { AnyTransition() }
    /// From a side.
    public static func move(edge: Edge) -> AnyTransition { AnyTransition() }
    /// Pushing what was there.
    public static func push(from edge: Edge) -> AnyTransition { AnyTransition() }
    /// Different in coming and going.
    public static func asymmetric(insertion: AnyTransition, removal: AnyTransition) -> AnyTransition { insertion }
    /// Two at once.
    public func combined(with other: AnyTransition) -> AnyTransition { self }
    /// With an animation.
    public func animation(_ animation: Animation?) -> AnyTransition { self }
}

/// Makes changes with an animation. Here they are shown at once.
public func withAnimation<Result>(
    _ animation: Animation? = .default, _ body: () throws -> Result
) rethrows -> Result {
    try body()
}

/// Makes changes with a transaction.
public func withTransaction<Result>(_ transaction: Transaction, _ body: () throws -> Result) rethrows -> Result {
    try body()
}
